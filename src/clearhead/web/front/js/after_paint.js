// What was written into the page is painted first; then the page's own script runs, which has come meanwhile.
// A reader may be quicker: what was typed before the script came is told to it once it is there.
const { script } = document.querySelector("script[data-script]").dataset;
const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
const hidden = new Promise((done) => setTimeout(done, 300)); // a page in the background is not painted
const typed = new Set();
const note = (event) => typed.add(event.target);
addEventListener("input", note, true);
Promise.race([painted, hidden]).then(() => import(`./${script}.js`)).then(() => {
  removeEventListener("input", note, true);
  for (const field of typed) field.dispatchEvent(new Event("input", { bubbles: true }));
  document.documentElement.dataset.ready = script;
});
