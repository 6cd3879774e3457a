// The neuron view: one query against every key, cell by cell, as a working writes it; and the head as a problem file.
const number = (x, digits = 2) => { const s = x.toFixed(digits); return (/^-0\.?0*$/.test(s) ? s.slice(1) : s).replace("-", "−"); };
const inProduct = x => { const s = number(x); return s.startsWith("−") ? `(${s})` : s; };
function strip(values, most, cell = 9) {
  const canvas = make("canvas");
  canvas.width = values.length; canvas.height = 1;
  canvas.style.width = values.length * cell + "px"; canvas.style.height = "18px";
  const context = canvas.getContext("2d");
  values.forEach((x, k) => { context.fillStyle = rgb(signed(x, most)); context.fillRect(k, 0, 1, 1); });
  return canvas;
}
function scoresOf(head, v, i) {
  const scale = head.layer.scale ?? 1 / Math.sqrt(v.d), q = v.q(i), weights = new Map(rowOf(head, i).kept);
  return head.columns.map((t, j) => {
    const k = v.k(j), each = Array.from(q, (x, c) => x * k[c]), score = each.reduce((a, b) => a + b, 0);
    return { j, t, k: Array.from(k), each, score, bias: v.bias(i, j), scaled: score * scale + v.bias(i, j), weight: weights.get(j) ?? 0 };
  });
}
function neuronView() {
  const head = current(), v = vectorsOf(head);
  if (!v) {
    const why = head.layer.width ? "q and k of all heads would make this page too large; make it with --head " + head.name + ", or of a shorter text." : "q and k are not known: only the weights were given.";
    view.replaceChildren(make("p", { class: "caption" }, why)); say(""); return;
  }
  const i = state.held >= 0 && state.held < head.rows.length ? state.held : head.rows.length - 1;
  const all = scoresOf(head, v, i).filter(s => head.layer.mask === "causal" ? s.j < head.layer.sees[i] : head.layer.mask === "none" || s.weight > 0);
  const top = [...all].sort((a, b) => b.weight - a.weight).slice(0, state.top > 0 ? state.top : 40).sort((a, b) => a.j - b.j);
  const q = Array.from(v.q(i)), most = Math.max(...q.map(Math.abs), ...top.flatMap(s => s.k.map(Math.abs))), mostEach = Math.max(...top.flatMap(s => s.each.map(Math.abs)));
  const cell = Math.max(3, Math.min(9, Math.floor(280 / v.d)));
  const choose = make("select", { "aria-label": "query", onchange: e => { state.held = +e.target.value; state.key = -1; neuronView(); } });
  head.rows.forEach((t, r) => choose.append(make("option", r === i ? { value: r, selected: "" } : { value: r }, `${r + 1} ${plain(t)}`)));
  const body = make("tbody");
  for (const s of top) {
    const row = make("tr", { tabindex: 0, class: s.j === state.key ? "held" : "", onmouseenter: () => sayScore(head, v, i, s, all), onfocus: () => sayScore(head, v, i, s, all), onclick: () => { state.key = s.j; neuronView(); } },
      make("th", { dir: "auto" }, `${s.j + 1} ${plain(s.t)}`), make("td", {}, strip(s.k, most, cell)), make("td", {}, strip(s.each, mostEach, cell)),
      make("td", { class: "n" }, number(s.score)), make("td", { class: "n" }, number(s.scaled)), make("td", { class: "n" }, s.weight.toFixed(4)));
    row.cells[5].style.background = rgb(shade(s.weight)); row.cells[5].style.color = ((c => c[0] * 0.3 + c[1] * 0.59 + c[2] * 0.11)(shade(s.weight))) > 128 ? "#1c2430" : "#f4f6f9";
    body.append(row);
  }
  const table = make("table", { class: "neurons" }, make("thead", {}, make("tr", {}, ...["key", "k", "q ⊙ k", "scores", "scaled", "weights"].map(t => make("th", {}, t)))), body);
  view.replaceChildren(make("p", { class: "caption" }, "query ", choose, " q = ", strip(q, most, cell)), make("div", { class: "scroll" }, table),
    make("p", { class: "caption" }, `${v.d} cells each: below 0 blue, above 0 orange. Point at a row for its sum as a working writes it.`));
  sayScore(head, v, i, top.find(s => s.j === state.key) ?? top.reduce((a, b) => b.weight > a.weight ? b : a), all);
}
function sayScore(head, v, i, s, all) {
  const q = v.q(i), shown = 6, terms = Array.from(q, (x, c) => `${inProduct(x)}·${inProduct(s.k[c])}`);
  const sum = terms.length > 2 * shown ? [...terms.slice(0, shown), `… (${terms.length - 2 * shown} more) …`, ...terms.slice(-shown)] : terms;
  const by = head.layer.scale == null ? ` / √${v.d}` : head.layer.scale === 1 ? "" : ` · ${+head.layer.scale.toPrecision(4)}`, extra = head.layer.bias ? ` + ${inProduct(s.bias)} (what the positions add)` : "";
  say(`scores[${i + 1},${s.j + 1}] = ${sum.join(" + ")} = ${number(s.score)}\nscaled[${i + 1},${s.j + 1}] = ${number(s.score)}${by}${extra} = ${number(s.scaled)}   weights[${i + 1},${s.j + 1}] = e^(${number(s.scaled)}) / (a sum of ${all.length} such) = ${s.weight.toFixed(4)}`);
}
function problemOf(head, digits = +$("digits").value) {
  const v = vectorsOf(head), n = head.columns.length, m = head.rows.length;
  if (!v) return [null, "q, k and v of this head are not in this page"];
  if (head.layer.bias || head.layer.mask === "own") return [null, "this head's scores or mask have more in them than a problem file can say"];
  if (Math.max(n, m) > 24) return [null, `a head is worked by hand on up to 24 tokens; here are ${Math.max(n, m)}`];
  const plainNumber = x => { const s = x.toFixed(digits); return /^-0\.?0*$/.test(s) ? s.slice(1) : s; };
  const rows = (count, of, by = 1) => "[\n" + Array.from({ length: count }, (_, r) => "  [" + Array.from(of(r), x => plainNumber(x * by)).join(", ") + "],\n").join("") + "]";
  const names = t => "[" + t.map(x => JSON.stringify(x.trim() || "␣")).join(", ") + "]", same = JSON.stringify(head.rows) === JSON.stringify(head.columns);
  return [[`kind = "attention"`, `title = ${JSON.stringify(`Head ${head.name} of ${tree.source} on: ${tree.text}`)}`, "", "[given]",
    ...(same ? [`tokens = ${names(head.rows)}`] : [`tokens1 = ${names(head.rows)}`, `tokens2 = ${names(head.columns)}`]),
    `Q = ${rows(m, v.q, head.layer.scale ?? 1)}`, `K = ${rows(n, v.k)}`, `V = ${rows(n, v.v)}`, "", "[options]",
    `scale = ${head.layer.scale == null}`, `mask = "${head.layer.mask}"`].join("\n") + "\n", ""];
}
