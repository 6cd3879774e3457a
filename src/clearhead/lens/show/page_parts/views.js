// The model view, the head view and the guesses.
const state = { view: "head", head: 0, held: -1, over: -1, key: -1, top: 0, least: 0, sort: "" };
const $ = id => document.getElementById(id);
const view = $("view");
const current = () => heads[state.head];
const say = words => { $("said").textContent = words; };

function ordered() {
  const all = [...heads];
  if (!state.sort) return all;
  const value = h => h.measures[state.sort] ?? -Infinity;
  return all.sort((a, b) => value(b) - value(a) || a.index - b.index);
}
const tiles = new Map();
const SLICE = 6; // ms of painting in one go: what a person does in between is answered at once
let waiting = [], painting = false;
const later = new IntersectionObserver(seen => { // a map is painted when it comes into sight
  for (const each of seen) if (each.isIntersecting) { waiting.push(each.target); later.unobserve(each.target); }
  if (waiting.length && !painting) { painting = true; paintSome(); }
}, { rootMargin: "300px" });
function paintSome() {
  const until = performance.now() + SLICE;
  waiting = waiting.filter(canvas => canvas.isConnected);
  do { const canvas = waiting.shift(); if (canvas) { paint(canvas, heads[+canvas.dataset.head], 72); canvas.dataset.painted = "yes"; } } while (waiting.length && performance.now() < until);
  painting = waiting.length > 0;
  if (painting) setTimeout(paintSome, 0);
}
function modelView() {
  const most = Math.max(...tree.layers.map(l => l.heads));
  const grid = make("div", { class: state.sort ? "grid flow" : "grid" });
  if (!state.sort) grid.style.gridTemplateColumns = `max-content repeat(${most}, 84px)`;
  let layer = null;
  tiles.clear();
  for (const head of ordered()) {
    if (!state.sort && head.layer !== layer) {
      layer = head.layer;
      grid.append(make("span", { class: "side", style: "grid-column: 1" }, `layer ${layer.name}`));
    }
    const canvas = make("canvas", { "data-head": head.index }), held = head.labels.find(l => l.holds);
    const value = state.sort ? head.measures[state.sort] : null;
    const under = state.sort ? `${head.name} · ${value == null ? "–" : value.toFixed(2)}` : head.name;
    const tile = make("button", { class: "tile", title: `head ${head.name}${held ? ": " + held.told : ""}`, "aria-current": head.index === state.head,
      onclick: () => { state.head = head.index; show("head"); }, onmouseenter: () => say(toldOf(head)), onfocus: () => { state.head = head.index; say(toldOf(head)); } }, canvas, make("span", {}, under));
    tiles.set(head.index, tile);
    later.observe(canvas);
    grid.append(tile);
  }
  view.replaceChildren(grid);
  say("Point at a head for its measures; a click opens it.");
}
function toldOf(head) {
  const m = head.measures, cell = (name, unit) => m[name] == null ? "" : `, ${name.replace("_", " ")} ${unit ? m[name].toFixed(2) + unit : percent(m[name])}`;
  const held = head.labels.filter(l => l.holds).map(l => l.told), tried = head.labels.filter(l => !l.holds).map(l => l.told);
  return `head ${head.name}${head.group ? " (" + head.group + ")" : ""}: entropy ${m.entropy == null ? "–" : m.entropy.toFixed(2) + " bits"}${cell("distance", " tokens")}${cell("itself")}${cell("first")}${cell("previous")}${cell("same")}${cell("names")}`
    + (held.length ? `\nlooks like: ${held.join("; ")}` : "") + (tried.length ? `\n${tried.join("; ")}` : "");
}

const ROW = 18;
let lines = null; // what the head view keeps between two hovers
function headView() {
  const head = current(), m = head.rows.length, n = head.columns.length;
  const box = make("div", { class: "lines", style: `height: min(62vh, 640px, ${Math.max(m, n) * ROW + 12}px)` }), inner = make("div", { class: "inner", style: `height:${Math.max(m, n) * ROW + 8}px` }), canvas = make("canvas");
  inner.append(canvas);
  const from = head.rows.map((t, i) => token("from", t, i)), to = head.columns.map((t, j) => token("to", t, j));
  inner.append(...from, ...to);
  box.append(inner);
  const map = make("canvas", { class: "map", role: "img", "aria-label": `weights of head ${head.name}: rows look at columns` });
  const kept = tree.packed.kept ? `; of each row the ${tree.packed.kept} largest weights are kept, the rest is drawn at its mean` : "";
  view.replaceChildren(make("div", { class: "pair" }, box, make("div", {}, framed(map, head), make("p", { class: "caption" }, `rows look, columns are looked at; ${m} × ${n}${kept}`))));
  map.style.aspectRatio = `${n} / ${m}`;
  map.style.maxWidth = Math.min(n >= m ? 500 : 500 * n / m, 44 * n) + "px";
  paint(map, head, 0);
  lines = { head, box, canvas, from, to, lit: [], side: "from" };
  box.addEventListener("scroll", drawLines);
  inner.addEventListener("mouseover", e => { const t = e.target.closest(".token"); if (t) over(t.classList.contains("to") ? "to" : "from", +t.dataset.k); });
  box.addEventListener("mouseleave", () => over("from", -1));
  inner.addEventListener("click", e => { const t = e.target.closest(".token.from"); if (t) hold(state.held === +t.dataset.k ? -1 : +t.dataset.k); });
  map.addEventListener("mousemove", e => {
    const r = map.getBoundingClientRect(), j = Math.min(n - 1, Math.floor((e.clientX - r.left) / r.width * n)), i = Math.min(m - 1, Math.floor((e.clientY - r.top) / r.height * m));
    if (i >= 0 && j >= 0) { follow(i); over("from", i); sayCell(head, i, j); }
  });
  map.addEventListener("click", () => hold(state.over));
  size();
  over("from", state.held);
}
// A map with names beside it, while there is room for them.
function framed(map, head) {
  const m = head.rows.length, n = head.columns.length;
  if (Math.max(m, n) > 32) return map;
  const left = make("div", { class: "names left", style: `grid-template-rows: repeat(${m}, 1fr)` }, ...head.rows.map(t => make("bdi", {}, plain(t))));
  const above = make("div", { class: "names above", style: `grid-template-columns: repeat(${n}, 1fr)` }, ...head.columns.map(t => make("bdi", {}, plain(t))));
  const box = make("div", { class: "framed" }, make("span"), above, left, map);
  above.style.maxWidth = Math.min(n >= m ? 500 : 500 * n / m, 44 * n) + "px";
  return box;
}
function token(side, t, k) {
  return make("div", { class: `token ${side}`, dir: "auto", style: `top:${k * ROW + 4}px`, "data-k": k, title: `${k + 1}: ${t}` }, ...tokenParts(t));
}
function size() {
  if (!lines || !lines.canvas.isConnected) return;
  const ratio = window.devicePixelRatio || 1, wide = lines.box.clientWidth * 0.26, tall = lines.box.clientHeight;
  lines.canvas.style.width = wide + "px"; lines.canvas.style.height = tall + "px";
  lines.canvas.width = wide * ratio; lines.canvas.height = tall * ratio;
  drawLines();
}
// What is drawn of a token's weights: those that can be seen, and no more than are told apart.
function drawn(found) {
  const strong = found.filter(([, w]) => w >= 0.003);
  return (strong.length ? strong : found).slice(0, 80);
}
function over(side, k) {
  if (state.held >= 0 && (side === "to" || k < 0)) { side = "from"; k = state.held; }
  state.over = side === "from" ? k : -1;
  lines.side = side; lines.k = k;
  for (const e of lines.lit) { e.style.background = ""; e.style.color = ""; e.classList.remove("held"); }
  lines.lit = [];
  const { head } = lines;
  if (k >= 0) {
    const mine = side === "from" ? lines.from : lines.to, others = side === "from" ? lines.to : lines.from;
    const found = side === "from" ? chosen(head, k, state.top, state.least) : columnOf(head, k).filter(([, w]) => w >= state.least).sort((a, b) => b[1] - a[1]);
    lines.found = drawn(found);
    for (const [j, w] of lines.found) {
      const c = shade(w), e = others[j];
      e.style.background = rgb(c);
      e.style.color = (c[0] * 0.3 + c[1] * 0.59 + c[2] * 0.11) > 128 ? "#1c2430" : "#f4f6f9";
      lines.lit.push(e);
    }
    mine[k].classList.add("held");
    lines.lit.push(mine[k]);
    side === "from" ? sayRow(head, k) : say(`${k + 1} ${apart(head.columns[k])} is looked at by: ${found.slice(0, 8).map(([i, w]) => `${apart(head.rows[i])} ${percent(w)}`).join(", ") || "nobody"}`);
  } else say("Point at a token or a cell; a click holds it.");
  drawLines();
}
function follow(i) { // the tokens beside the map go where it is pointed at
  const { box } = lines, y = i * ROW + 4;
  if (y < box.scrollTop || y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight / 2;
}
function sayRow(head, i) {
  const { rest } = rowOf(head, i), kept = chosen(head, i, state.top, state.least);
  say(`${i + 1} ${apart(head.rows[i])} looks at: ${kept.slice(0, 10).map(([j, w]) => `${apart(head.columns[j])} ${percent(w)}`).join(", ") || "nothing above the threshold"}`
    + (rest > 0.005 ? `; not kept here: ${percent(rest)} in all` : ""));
}
function sayCell(head, i, j) {
  const { kept, rest } = rowOf(head, i), found = kept.find(([k]) => k === j);
  const least = kept.length ? kept[kept.length - 1][1] : 0;
  say(`${i + 1} ${apart(head.rows[i])} looks at ${j + 1} ${apart(head.columns[j])}: ${found ? percent(found[1]) : rest > 0.0005 ? `not kept; at most ${percent(least)}` : "0 %"}`);
}
function drawLines() {
  if (!lines || !lines.canvas.isConnected) return;
  const { canvas, head, box } = lines, ratio = window.devicePixelRatio || 1, context = canvas.getContext("2d");
  const wide = canvas.width / ratio, tall = canvas.height / ratio, y = k => k * ROW + 13 - box.scrollTop;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, wide, tall);
  context.strokeStyle = css("--accent");
  const line = (i, j, w) => {
    if ((y(i) < 0 && y(j) < 0) || (y(i) > tall && y(j) > tall)) return;
    context.globalAlpha = Math.min(1, 0.16 + w); context.lineWidth = 0.4 + 3.2 * w;
    context.beginPath(); context.moveTo(0, y(i)); context.bezierCurveTo(wide * 0.4, y(i), wide * 0.6, y(j), wide, y(j)); context.stroke();
  };
  if (lines.k >= 0) for (const [j, w] of lines.found) lines.side === "to" ? line(j, lines.k, w) : line(lines.k, j, w);
  else {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW)), last = Math.min(head.rows.length - 1, Math.ceil((box.scrollTop + tall) / ROW));
    for (let i = first; i <= last; i++) for (const [j, w] of chosen(head, i, state.top, Math.max(state.least, 0.02))) line(i, j, w);
  }
  context.globalAlpha = 1;
}
function hold(k) { state.held = k; if (state.view === "neuron") neuronView(); else over("from", k); }

function guessView() {
  if (!tree.guesses.length) { view.replaceChildren(make("p", { class: "caption" }, "There are no guesses on the way for this model.")); return; }
  const last = tree.layers[tree.layers.length - 1], tokens = tree.sides[last.rows];
  const table = make("table"), head = make("tr", {}, make("th", {}, "what it would say next")), body = make("tbody");
  tokens.forEach(t => head.append(make("th", { dir: "auto" }, plain(t))));
  for (const each of [...tree.guesses].reverse()) {
    const row = make("tr", {}, make("th", {}, each.where)), at = new Map(each.places.map((p, k) => [p, k]));
    tokens.forEach((t, p) => {
      const best = at.has(p) ? each.best[at.get(p)] : null;
      const cell = make("td", best ? { dir: "auto", title: best.map(([w, s]) => `${plain(w)} ${percent(s)}`).join(", "), onmouseenter: () => say(`${each.where}, at ${apart(t)}: ${best.map(([w, s]) => `${apart(w)} ${percent(s)}`).join(", ")}`) } : {}, best ? plain(best[0][0]) : "");
      if (best) { const c = shade(best[0][1]); cell.style.background = rgb(c); cell.style.color = (c[0] * 0.3 + c[1] * 0.59 + c[2] * 0.11) > 128 ? "#1c2430" : "#f4f6f9"; }
      row.append(cell);
    });
    body.append(row);
  }
  table.append(make("thead", {}, head), body);
  view.replaceChildren(make("div", { class: "scroll" }, table), make("p", { class: "caption" }, "The best token at each place, the last block on top; the stronger the shade, the surer."));
  say("Point at a cell for the runners-up.");
}
