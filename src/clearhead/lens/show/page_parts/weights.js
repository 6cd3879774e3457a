// The data of the page: weights unpacked, and questions to them.
const tree = JSON.parse(document.getElementById("data").textContent);

async function unpack() {
  const pack = tree.packed, written = atob(pack.data), bytes = new Uint8Array(written.length);
  for (let k = 0; k < written.length; k++) bytes[k] = written.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = await new Response(stream).arrayBuffer(), n = pack.entries;
  const counts = new Uint16Array(raw, 0, pack.rows), at = pack.rows * 2, u8 = new Uint8Array(raw);
  const starts = new Uint32Array(pack.rows + 1), places = new Uint16Array(n), weights = new Float32Array(n);
  let e = 0;
  for (let r = 0; r < pack.rows; r++) {
    let place = 0;
    for (let c = 0; c < counts[r]; c++, e++) {
      place += u8[at + e] | (u8[at + n + e] << 8);
      places[e] = place;
      weights[e] = (u8[at + 2 * n + e] | (u8[at + 3 * n + e] << 8)) / 65535;
    }
    starts[r + 1] = e;
  }
  const size = at + 4 * n, vectors = new Float32Array(raw, size + (4 - size % 4) % 4, pack.numbers);
  return { starts, places, weights, vectors };
}

let store = null;
const heads = [];
function nameHeads() {
  let row = 0, at = 0, k = 0;
  for (const layer of tree.layers) {
    const rows = tree.sides[layer.rows], columns = tree.sides[layer.columns];
    for (let h = 0; h < layer.heads; h++, k++) {
      const told = tree.heads[k], head = { index: k, layer, number: h, rows, columns, first: row, ...told };
      if (tree.packed.vectors.includes(told.name)) {
        head.vectors = at;
        at += (rows.length + columns.length) * layer.width + columns.length * layer.values + (layer.bias ? rows.length * columns.length : 0);
      }
      heads.push(head);
      row += rows.length;
    }
  }
}

// The kept weights of a row, the largest first: pairs of place and weight; and what was left out, as a sum.
function rowOf(head, i) {
  const from = store.starts[head.first + i], to = store.starts[head.first + i + 1], kept = [];
  let sum = 0;
  for (let e = from; e < to; e++) { kept.push([store.places[e], store.weights[e]]); sum += store.weights[e]; }
  kept.sort((a, b) => b[1] - a[1]);
  return { kept, rest: tree.packed.kept ? Math.max(0, 1 - sum) : 0, sees: head.layer.sees[i] };
}
function chosen(head, i, top, least) {
  let { kept } = rowOf(head, i);
  if (top > 0) kept = kept.slice(0, top);
  return least > 0 ? kept.filter(([, w]) => w >= least) : kept;
}
// Of a column: who looks at it.
function columnOf(head, j) {
  const found = [];
  for (let i = 0; i < head.rows.length; i++)
    for (let e = store.starts[head.first + i]; e < store.starts[head.first + i + 1]; e++)
      if (store.places[e] === j) found.push([i, store.weights[e]]);
  return found;
}
// A head as a full table; what was left out of a row is spread evenly over the rest of what the row sees.
function tableOf(head) {
  const n = head.columns.length, table = new Float32Array(head.rows.length * n);
  for (let i = 0; i < head.rows.length; i++) {
    const { kept, rest, sees } = rowOf(head, i), spread = rest > 1e-4 ? rest / Math.max(1, sees - kept.length) : 0;
    if (spread) for (let j = 0; j < n; j++) if (head.layer.mask !== "causal" || j < sees) table[i * n + j] = spread;
    for (const [j, w] of kept) table[i * n + j] = w;
  }
  return table;
}
function vectorsOf(head) {
  if (head.vectors === undefined) return null;
  const d = head.layer.width, dv = head.layer.values, q = head.vectors, k = q + head.rows.length * d, v = k + head.columns.length * d;
  const n = head.columns.length, bias = v + n * dv; // what the positions add, where they do
  return { d, dv, bias: (i, j) => head.layer.bias ? store.vectors[bias + i * n + j] : 0, q: i => store.vectors.subarray(q + i * d, q + (i + 1) * d), k: j => store.vectors.subarray(k + j * d, k + (j + 1) * d),
    v: j => store.vectors.subarray(v + j * dv, v + (j + 1) * dv) };
}
