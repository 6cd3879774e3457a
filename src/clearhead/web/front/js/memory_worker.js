// Makes the memory that the next visit begins with, when the page has nothing else to do: Python awake, and every page's
// modules read. It holds nothing that the reader wrote.
import { isKept, keep, rooms, woken } from "./python_start.js";

const QUESTIONS = { // one for each page
  library: {},
  work: { example: "self-attention" },
  sheet: { example: "self-attention" },
  check: { example: "self-attention", cells: {} },
  mark: { example: "self-attention", working: "Q = [[1, 3]]", name: "working.md" },
  layers: { source: "nn.Linear(2, 3)", input: "2" },
};

try {
  const archive = await rooms();
  if (!(await isKept(archive))) {
    const python = await woken(archive, { _makeSnapshot: true });
    const asked = JSON.stringify(Object.entries(QUESTIONS).map(([name, question]) => [name, JSON.stringify(question)]));
    python.runPython(`
import gc, json
from clearhead.desk import answer
for name, question in json.loads(${JSON.stringify(asked)}):
    answer(name, question)
del name, question
gc.collect()
`);
    await keep(python.makeMemorySnapshot(), archive);
  }
} catch { /* the next visit begins from nothing, as this one did */ }
postMessage("done");
