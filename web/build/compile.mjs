// Runs compile.py in Pyodide, whose Python compiles for itself: node compile.mjs SOURCES RESULT
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [sources, result] = process.argv.slice(2);
const python = await loadPyodide();
python.FS.writeFile("/sources.zip", readFileSync(sources));
python.runPython(readFileSync(new URL("compile.py", import.meta.url), "utf8"));
writeFileSync(result, python.FS.readFile("/result.zip"));
