// What is shown as a picture file, and a head as a problem file.
function handOver(name, content, type) {
  const a = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  document.body.append(a); a.click(); a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 4000);
}
const xml = t => t.replace(/[\u0000-\u0008\u000b-\u001f]|\p{Cs}/gu, " ").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const words = (t, x, y, anchor = "start", size = 12, fill = css("--ink")) => `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${fill}" unicode-bidi="plaintext">${xml(t)}</text>`;
function cells(head, x, y, side) {
  const m = head.rows.length, n = head.columns.length, unit = side / Math.max(n, m), table = tableOf(head);
  if (Math.max(n, m) > 64) {
    const canvas = make("canvas"); paint(canvas, head, 256);
    return `<image x="${x}" y="${y}" width="${unit * n}" height="${unit * m}" href="${canvas.toDataURL()}" style="image-rendering:pixelated"/>`;
  }
  let out = "";
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) if (table[i * n + j] > 0.002)
    out += `<rect x="${(x + j * unit).toFixed(2)}" y="${(y + i * unit).toFixed(2)}" width="${unit.toFixed(2)}" height="${unit.toFixed(2)}" fill="${rgb(shade(table[i * n + j]))}"/>`;
  return out + `<rect x="${x}" y="${y}" width="${(unit * n).toFixed(2)}" height="${(unit * m).toFixed(2)}" fill="none" stroke="${css("--line")}"/>`;
}
function pictureOf() {
  let wide, tall, body = "";
  if (state.view === "model") {
    const most = Math.max(...tree.layers.map(l => l.heads)), all = ordered(), across = state.sort ? Math.min(12, all.length) : most;
    let layer = null, row = -1, column = 0;
    all.forEach((head, k) => {
      if (state.sort) { row = Math.floor(k / across); column = k % across; }
      else if (head.layer !== layer) { layer = head.layer; row++; column = 0; }
      body += cells(head, 20 + column * 92, 50 + row * 104, 80) + words(head.name + (state.sort && head.measures[state.sort] != null ? ` · ${head.measures[state.sort].toFixed(2)}` : ""), 60 + column * 92, 143 + row * 104, "middle", 10, css("--faint"));
      column++;
    });
    wide = 40 + across * 92; tall = 60 + (row + 1) * 104;
  } else if (state.view === "guesses") {
    const tokens = tree.sides[tree.layers[tree.layers.length - 1].rows], each = 74, rows = [...tree.guesses].reverse();
    tokens.forEach((t, p) => { body += words(cut(plain(t)), 210 + (p + 0.5) * each, 60, "middle", 11); });
    rows.forEach((row, r) => {
      body += words(row.where, 200, 84 + r * 26, "end", 11);
      row.places.forEach((p, k) => {
        const [word, share] = row.best[k][0], c = shade(share), ink = (c[0] * 0.3 + c[1] * 0.59 + c[2] * 0.11) > 128 ? "#1c2430" : "#f4f6f9";
        body += `<rect x="${210 + p * each}" y="${67 + r * 26}" width="${each}" height="26" fill="${rgb(c)}" stroke="${css("--line")}"/>` + words(cut(plain(word)), 210 + (p + 0.5) * each, 84 + r * 26, "middle", 11, ink);
      });
    });
    wide = 230 + tokens.length * each; tall = 90 + rows.length * 26;
  } else if (state.view === "neuron" && vectorsOf(current())) {
    const head = current(), v = vectorsOf(head), i = state.held >= 0 ? state.held : head.rows.length - 1;
    const all = scoresOf(head, v, i).filter(s => head.layer.mask !== "causal" || s.j < head.layer.sees[i]).sort((a, b) => b.weight - a.weight).slice(0, 40).sort((a, b) => a.j - b.j);
    const unit = 8, most = Math.max(...all.flatMap(s => s.k.map(Math.abs))), each = Math.max(...all.flatMap(s => s.each.map(Math.abs)));
    const strips = (values, x, y, top) => values.map((value, c) => `<rect x="${x + c * unit}" y="${y}" width="${unit}" height="16" fill="${rgb(signed(value, top))}"/>`).join("");
    body += words(`query ${plain(head.rows[i])}`, 110, 66, "end") + strips(Array.from(v.q(i)), 120, 54, most) + words("q ⊙ k", 140 + v.d * unit, 66);
    all.forEach((s, r) => { const y = 84 + r * 20; body += words(plain(s.t), 110, y + 12, "end") + strips(s.k, 120, y, most) + strips(s.each, 140 + v.d * unit, y, each) + words(`${number(s.score)}  →  ${number(s.scaled)}  →  ${s.weight.toFixed(4)}`, 156 + 2 * v.d * unit, y + 12); });
    wide = 340 + 2 * v.d * unit; tall = 104 + all.length * 20;
  } else {
    const head = current(), m = head.rows.length, n = head.columns.length, y = k => 60 + k * 18, x1 = 170, x2 = 330;
    for (let i = 0; i < m; i++) if (state.held < 0 || state.held === i) for (const [j, w] of chosen(head, i, state.top, Math.max(state.least, 0.02)))
      body += `<path d="M${x1} ${y(i)} C${x1 + 64} ${y(i)} ${x2 - 64} ${y(j)} ${x2} ${y(j)}" fill="none" stroke="${css("--accent")}" stroke-width="${(0.4 + 3.2 * w).toFixed(2)}" stroke-opacity="${Math.min(1, 0.08 + w).toFixed(2)}"/>`;
    head.rows.forEach((t, i) => { body += words(plain(t), x1 - 8, y(i) + 4, "end"); });
    head.columns.forEach((t, j) => { body += words(plain(t), x2 + 8, y(j) + 4); });
    const side = Math.max(240, Math.min(640, 12 * Math.max(m, n)));
    body += cells(head, 520, 52, side);
    wide = 540 + side; tall = Math.max(80 + Math.max(m, n) * 18, 72 + side);
  }
  const title = state.view === "guesses" ? `${tree.source}: what it would say next after each block` : state.view === "model" ? `${tree.source}: every head` : `${tree.source}, head ${current().name}`;
  return { wide, tall, svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${tall}" width="${wide}" height="${tall}" font-family="'DejaVu Sans', Arial, sans-serif"><title>${xml(title)}</title><rect width="${wide}" height="${tall}" fill="${css("--paper")}"/>${words(title, 16, 26, "start", 15)}${body}</svg>\n` };
}
function exportPng() {
  const { wide, tall, svg } = pictureOf(), image = new Image(), zoom = Math.min(2, 12000 / Math.max(wide, tall));
  image.onload = () => {
    const canvas = make("canvas"); canvas.width = wide * zoom; canvas.height = tall * zoom;
    const context = canvas.getContext("2d"); context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => handOver(`${fileName()}.png`, blob, "image/png"));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
}
const cut = t => [...t].length > 10 ? [...t].slice(0, 9).join("") + "…" : t;
const fileName = () => state.view === "guesses" ? "guesses" : state.view === "model" ? "heads" : `head-${current().name.replace(/ /g, "-")}`;
