// Colours and small drawings that every view shares.
const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
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
function paint(canvas, head, most) {
  const n = head.columns.length, m = head.rows.length, table = tableOf(head);
  const by = most ? Math.max(1, Math.ceil(Math.max(n, m) / most)) : 1, wide = Math.ceil(n / by), tall = Math.ceil(m / by);
  const small = by === 1 ? table : new Float32Array(wide * tall);
  if (by > 1) for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) {
    const k = Math.floor(i / by) * wide + Math.floor(j / by);
    if (table[i * n + j] > small[k]) small[k] = table[i * n + j];
  }
  canvas.width = wide; canvas.height = tall;
  const context = canvas.getContext("2d"), image = context.createImageData(wide, tall), shades = [];
  for (let k = 0; k <= 255; k++) shades.push(shade(k / 255));
  for (let k = 0; k < wide * tall; k++) {
    const c = shades[Math.round(Math.min(1, small[k]) * 255)];
    image.data.set([c[0], c[1], c[2], 255], 4 * k);
  }
  context.putImageData(image, 0, 0);
}
