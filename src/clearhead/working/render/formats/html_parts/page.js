// How a number was made: the row-times-column sum of a product, and where its row and column are. Listens once a page,
// however many workings stand on it.
(() => {
  if (window.clearheadListens) return;
  window.clearheadListens = true;

  const rowsOf = (table) => [...table.tBodies[0].rows].map((row) => [...row.cells].filter((cell) => cell.tagName === "TD"));
  const plain = (cell) => cell.dataset.n ?? cell.textContent.trim();
  const factor = (number) => (/^[-−]/.test(number) || number.includes(" ") ? `(${number})` : number);

  // The cells of row i or column j, in a table or in its transpose.
  const line = (table, along, place, turned) => {
    const rows = rowsOf(table);
    return (along === "row") !== turned ? rows[place] : rows.map((row) => row[place]);
  };

  // The table of that name that stands first on the page: the given, or the value of its own step.
  const home = (page, name) => [...page.querySelectorAll(".given table, .step table[role=grid]")].find((t) => t.dataset.name === name);

  const sumOf = (page, step, i, j) => {
    const left = line(home(page, step.dataset.left), "row", i, "leftTurned" in step.dataset);
    const right = line(home(page, step.dataset.right), "column", j, "rightTurned" in step.dataset);
    const cut = [...left, ...right].some((cell) => cell.classList.contains("cut"));
    return (cut ? "≈ " : "= ") + left.map((cell, k) => `${factor(plain(cell))}·${factor(plain(right[k]))}`).join(" + ");
  };

  // Which cells of another table meet cell (i, j): those it was made from, or, the other way round, those it goes into.
  const parts = {
    row: (i) => (a) => a === i, column: (i, j) => (a, b) => b === j, cell: (i, j) => (a, b) => a === i && b === j,
    "row-j": (i, j) => (a) => a === j, "column-i": (i) => (a, b) => b === i, all: () => () => true,
  };
  const back = { "row-j": "column-i", "column-i": "row-j" };
  const feeds = (step) => (step.dataset.feeds ?? "").split(" ").filter(Boolean).map((pair) => pair.split(":"));
  const light = (table, meets, name) => table && rowsOf(table).forEach((row, a) => row.forEach((cell, b) => meets(a, b) && cell.classList.add(name)));

  // Cell (i, j) of a table: where it came from, and where it goes.
  const relate = (page, name, i, j) => {
    const own = [...page.querySelectorAll(".step")].find((step) => step.dataset.step === name);
    for (const [need, part] of own ? feeds(own) : []) light(home(page, need), parts[part](i, j), "origin");
    page.querySelectorAll(".step[data-feeds]").forEach((step) => feeds(step).forEach(([need, part]) => {
      if (need === name) light(step.querySelector("table[role=grid]"), parts[back[part] ?? part](i, j), "goes");
    }));
  };

  const clear = (page) => page.querySelectorAll(".from, .chosen, .origin, .goes").forEach((cell) => cell.classList.remove("from", "chosen", "origin", "goes"));

  const show = (cell) => {
    const table = cell.closest("table"), step = cell.closest(".step"), page = cell.closest(".clearhead");
    const rows = rowsOf(table), i = rows.findIndex((row) => row.includes(cell)), j = rows[i].indexOf(cell);
    clear(page);
    relate(page, table.dataset.name, i, j);
    cell.classList.add("chosen");
    const put = step.querySelectorAll("table[data-role]");
    put.forEach((source) => {
      const role = source.dataset.role, own = rowsOf(source);
      (role === "row" ? own[i] : role === "column" ? own.map((row) => row[j]) : [own[i][j]]).forEach((c) => c.classList.add("from"));
    });
    if (step.dataset.left && !put.length) {
      line(home(page, step.dataset.left), "row", i, "leftTurned" in step.dataset).forEach((c) => c.classList.add("from"));
      line(home(page, step.dataset.right), "column", j, "rightTurned" in step.dataset).forEach((c) => c.classList.add("from"));
    }
    const matrix = table.dataset.name + (table.classList.contains("number") ? "" : rows.length === 1 && table.classList.contains("vector") ? `[${j + 1}]` : `[${i + 1},${j + 1}]`);
    const value = `${cell.classList.contains("near") ? "≈" : "="} ${cell.textContent.trim()}`;
    const made = step.dataset.left ? `${matrix} ${sumOf(page, step, i, j)} ${value}` : (cell.dataset.told ?? `${matrix} ${value}`);
    step.querySelector(".sum").textContent = made + (cell.dataset.exact ? `; exactly ${cell.dataset.exact}` : "");
  };

  const choose = (cell) => {
    cell.closest("table").querySelectorAll("td[tabindex='0']").forEach((other) => (other.tabIndex = -1));
    cell.tabIndex = 0;
    cell.focus();
  };

  window.clearheadRelate = (page, name, i, j) => { clear(page); relate(page, name, i, j); };

  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const gridCell = (target) => (target instanceof Element ? target.closest(".clearhead table[role=grid] tbody td") : null);

  document.addEventListener("click", (event) => { const cell = gridCell(event.target); if (cell) choose(cell); });
  document.addEventListener("focusin", (event) => { const cell = gridCell(event.target); if (cell) show(cell); });
  document.addEventListener("keydown", (event) => {
    const cell = gridCell(event.target);
    if (!cell) return;
    if (event.key === "Escape") { clear(cell.closest(".clearhead")); cell.closest(".step").querySelector(".sum").textContent = ""; cell.blur(); return; }
    const move = moves[event.key];
    if (!move) return;
    const rows = rowsOf(cell.closest("table")), i = rows.findIndex((row) => row.includes(cell)), j = rows[i].indexOf(cell);
    const next = rows[i + move[0]]?.[j + move[1]];
    if (next) { event.preventDefault(); choose(next); }
  });
})();
