// The page itself: choices, keys, and the first view.
const VIEWS = { model: modelView, head: headView, neuron: neuronView, guesses: guessView };
function show(name) {
  state.view = name;
  for (const tab of document.querySelectorAll(".tabs button")) tab.setAttribute("aria-selected", tab.dataset.view === name);
  const head = current();
  $("layer").value = head.layer.name; fillHeads(); $("head").value = head.index;
  if (state.held >= head.rows.length) state.held = -1;
  const held = head.labels.filter(l => l.holds), tried = head.labels.filter(l => !l.holds);
  $("label").replaceChildren(...(name === "guesses" ? [] : [make("span", {}, `head ${head.name}${head.group ? " (" + head.group + ")" : ""}: `),
    ...(held.length ? held.map((l, k) => make("b", {}, (k ? "; " : "") + l.told)) : []), make("span", { class: "not" }, (held.length && tried.length ? "; " : "") + tried.map(l => l.told).join("; ") || (held.length ? "" : "nothing in particular"))]));
  $("work").hidden = $("rounded").hidden = head.vectors === undefined;
  VIEWS[name]();
}
function fillHeads() {
  const layer = current().layer;
  $("head").replaceChildren(...heads.filter(h => h.layer === layer).map(h => make("option", { value: h.index }, h.name)));
}
function step(by) {
  const order = ordered(), at = order.findIndex(h => h.index === state.head);
  state.head = order[(at + by + order.length) % order.length].index;
  show(state.view);
  if (state.view === "model") tiles.get(state.head)?.focus();
}
function keys(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|INPUT)$/.test(e.target.tagName)) return;
  const views = { m: "model", h: "head", n: "neuron", g: "guesses" }, layers = tree.layers, at = layers.indexOf(current().layer);
  const go = k => { const found = heads.find(h => h.layer === layers[(k + layers.length) % layers.length] && h.number === Math.min(current().number, h.layer.heads - 1)); if (found) { state.head = found.index; show(state.view); } };
  if (views[e.key]) show(views[e.key]);
  else if (e.key === "ArrowRight") step(1);
  else if (e.key === "ArrowLeft") step(-1);
  else if (e.key === "]") go(at + 1);
  else if (e.key === "[") go(at - 1);
  else if ((e.key === "ArrowDown" || e.key === "ArrowUp") && (state.view === "head" || state.view === "neuron")) {
    const n = current().rows.length, k = state.held < 0 ? (e.key === "ArrowDown" ? 0 : n - 1) : Math.min(n - 1, Math.max(0, state.held + (e.key === "ArrowDown" ? 1 : -1)));
    hold(k);
    if (state.view === "head") lines.from[k].scrollIntoView({ block: "nearest" });
  } else if (e.key === "t") { state.top = state.top ? 0 : 1; $("top").value = state.top; show(state.view); }
  else if (e.key === "Escape") { state.held = -1; state.key = -1; show(state.view); }
  else return;
  e.preventDefault();
}
async function begin() {
  document.querySelector("h1").textContent = tree.source;
  document.querySelector(".text").textContent = tree.text;
  if (tree.answer) {
    const a = tree.answer;
    document.querySelector(".answer").textContent = `It says: ${a.answer || "(nothing)"}, with probability ${(+a.probability).toPrecision(3)}` + (a.change ? `. ${a.change}: ${(+a.changed_probability).toPrecision(3)}, and it says ${a.changed_answer || "(nothing)"}` : "") + ".";
  }
  document.querySelector(".notes").append(...tree.notes.map(n => make("li", {}, n)));
  store = await unpack();
  nameHeads();
  const named = heads.find(h => h.name === tree.first);
  state.head = named ? named.index : 0;
  const last = heads[heads.length - 1];
  state.view = named || heads.length === 1 ? "head" : "model";
  for (const name of Object.keys(VIEWS)) if (name !== "guesses" || tree.guesses.length)
    document.querySelector(".tabs").append(make("button", { role: "tab", "data-view": name, onclick: () => show(name) }, name));
  $("layer").append(...tree.layers.map(l => make("option", { value: l.name }, l.name)));
  $("sort").append(make("option", { value: "" }, "as they stand"), ...Object.entries(tree.measures).map(([name, told]) => make("option", { value: name, title: told }, name.replace("_", " "))));
  $("layer").addEventListener("change", e => { state.head = heads.find(h => h.layer.name === e.target.value).index; show(state.view); });
  $("head").addEventListener("change", e => { state.head = +e.target.value; show(state.view); });
  $("sort").addEventListener("change", e => { state.sort = e.target.value; show("model"); });
  $("top").addEventListener("input", e => { state.top = Math.max(0, +e.target.value || 0); show(state.view); });
  $("least").addEventListener("input", e => { state.least = +e.target.value; $("least-said").textContent = percent(state.least); show(state.view); });
  $("svg").addEventListener("click", () => handOver(`${fileName()}.svg`, pictureOf().svg, "image/svg+xml"));
  $("png").addEventListener("click", exportPng);
  $("digits").addEventListener("change", e => { e.target.value = Math.min(12, Math.max(0, Math.round(+e.target.value) || 0)); });
  $("work").addEventListener("click", () => { const [text, why] = problemOf(current()); if (text) { handOver(`head-${current().name}.toml`, text, "application/toml"); say(`head-${current().name}.toml: work it with clearhead work head-${current().name}.toml`); } else say(why + "."); });
  document.addEventListener("keydown", keys);
  window.addEventListener("resize", size);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours.clear(); show(state.view); });
  show(state.view);
  document.body.dataset.ready = "yes";
}
begin().catch(error => { say(`This page could not be drawn: ${error.message}`); throw error; });
