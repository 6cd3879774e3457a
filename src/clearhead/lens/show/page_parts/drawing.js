// Colours and small drawings that every view shares.
const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const colours = new Map(); // asked for once: asking anew makes the browser work out every style again
const css = name => { if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim()); return colours.get(name); };
const mix = (a, b, t) => a.map((x, k) => Math.round(x + (b[k] - x) * t));
function shade(w) {
  const t = Math.sqrt(Math.min(1, Math.max(0, w)));
  return dark() ? mix([18, 22, 28], [157, 203, 255], t) : mix([255, 255, 255], [18, 70, 140], t);
}
function signed(x, most) { // below 0 blue, above 0 orange: told apart by the colour-blind too
  const t = Math.min(1, Math.abs(x) / (most || 1)), paper = dark() ? [18, 22, 28] : [255, 255, 255];
  return mix(paper, x < 0 ? (dark() ? [110, 170, 255] : [31, 95, 174]) : (dark() ? [255, 170, 90] : [196, 98, 16]), t);
}
const rgb = c => `rgb(${c[0]},${c[1]},${c[2]})`;
const percent = w => w >= 0.995 ? "100 %" : w >= 0.1 ? (100 * w).toFixed(0) + " %" : (100 * w).toFixed(w >= 0.001 ? 1 : 2) + " %";
const plain = t => (t.trim() ? t.trim() : t.includes("\n") ? "⏎" : "␣").replace(/\n/g, "⏎");
// In a line of several: a word from right to left is kept from pulling the number after it over.
const apart = t => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(t) ? `\u2068${plain(t)}\u2069` : plain(t);

function make(tag, attributes = {}, ...inside) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) name.startsWith("on") ? e.addEventListener(name.slice(2), value) : e.setAttribute(name, value);
  e.append(...inside);
  return e;
}
function tokenParts(t) {
  const shown = t.replace(/\n/g, "⏎"), blank = shown.match(/^ +/);
  const parts = blank ? [make("i", {}, "␣".repeat(blank[0].length))] : [];
  const rest = blank ? shown.slice(blank[0].length) : shown;
  return rest ? [...parts, make("bdi", {}, rest)] : parts;
}
// A table of weights as pixels; a large one is shrunk by keeping the largest of each square.
function shrunk(head, by, wide, tall) {
  const small = new Float32Array(wide * tall), n = head.columns.length;
  for (let i = 0; i < head.rows.length; i++) {
    const at = Math.floor(i / by) * wide, from = store.starts[head.first + i], to = store.starts[head.first + i + 1];
    let sum = 0;
    for (let e = from; e < to; e++) {
      const k = at + Math.floor(store.places[e] / by), w = store.weights[e];
      sum += w;
      if (w > small[k]) small[k] = w;
    }
    const sees = head.layer.sees[i], spread = tree.packed.kept && 1 - sum > 1e-4 ? (1 - sum) / Math.max(1, sees - (to - from)) : 0;
    const end = Math.ceil((head.layer.mask === "causal" ? sees : n) / by);
    if (spread) for (let k = at; k < at + end; k++) if (spread > small[k]) small[k] = spread;
  }
  return small;
}
function paint(canvas, head, most) {
  const n = head.columns.length, m = head.rows.length;
  const by = most ? Math.max(1, Math.ceil(Math.max(n, m) / most)) : 1, wide = Math.ceil(n / by), tall = Math.ceil(m / by);
  const small = shrunk(head, by, wide, tall);
  canvas.width = wide; canvas.height = tall;
  const context = canvas.getContext("2d"), image = context.createImageData(wide, tall), shades = [], data = image.data;
  for (let k = 0; k <= 255; k++) shades.push(shade(k / 255));
  for (let k = 0; k < wide * tall; k++) {
    const c = shades[Math.round(Math.min(1, small[k]) * 255)];
    data[4 * k] = c[0]; data[4 * k + 1] = c[1]; data[4 * k + 2] = c[2]; data[4 * k + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}
