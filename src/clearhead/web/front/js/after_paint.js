// What was written into the page is painted first; then the page's own script runs, which has come meanwhile.
const { script } = document.querySelector("script[data-script]").dataset;
const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
const hidden = new Promise((done) => setTimeout(done, 300)); // a page in the background is not painted
Promise.race([painted, hidden]).then(() => import(`./${script}.js`));
