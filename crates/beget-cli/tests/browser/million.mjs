// Measures the explorer and the page of a directory with a million structures.
//
//     node million.mjs DIRECTORY PROGRAM...
//
// DIRECTORY is what `generate -o` has written, PROGRAM the words of the program that shows it, such
// as `target/release/beget`. It writes benchmarks/results/explorer.md, and fails where a figure is
// missed.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { launch, open } from "./browser.mjs";

const [directory, program, ...words] = process.argv.slice(2);
assert(program, "the directory or the program is missing");
const summary = JSON.parse(readFileSync(join(directory, "summary.json"), "utf8"));
const N = summary.generated;
assert(N >= 1_000_000, `${N} structures are less than a million`);
const rows = [];

// A row of the table; the figure should not be more than `most`, if there is one.
let n_missed = 0;
function note(what, value, unit, most) {
  if (most !== undefined && value > most) n_missed += 1;
  rows.push([what, `${value} ${unit}`, most === undefined ? "" : `${most} ${unit}`]);
  console.error(`${what}: ${value} ${unit}`);
}

// The seconds that a command takes.
function run(...line) {
  const begun = performance.now();
  const ended = spawnSync(program, [...words, ...line], { encoding: "utf8" });
  assert(!ended.error && ended.status !== 2, `${line}: ${ended.stderr}`);
  return Math.round((performance.now() - begun) / 100) / 10;
}

function serve() {
  const begun = performance.now();
  const line = [...words, "explore", directory];
  const child = spawn(program, line, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((found, failed) => {
    child.on("exit", (code) => failed(new Error(`the explorer ended with ${code}`)));
    child.stdout.on("data", (part) => {
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(String(part));
      const seconds = Math.round((performance.now() - begun) / 100) / 10;
      if (address) found({ child, address: address[0], seconds });
    });
  });
}

const mebibytes = (pid, name) => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
};

// The milliseconds from the request to the last byte.
const answered = (page) => page.evaluate(() => {
  const [entry] = performance.getEntriesByType("navigation");
  return Math.round(entry.responseEnd - entry.requestStart);
});
const painted = (page) => page.evaluate(() => new Promise((found) => {
  new PerformanceObserver((list) => found(Math.round(list.getEntries()[0].startTime)))
    .observe({ type: "paint", buffered: true });
}));

async function explore(browser) {
  const { child, address, seconds } = await serve();
  child.removeAllListeners("exit");
  try {
    note("index of the file", seconds, "s");
    const { page, problems } = await open(browser, address, (url) => url.startsWith(address));
    assert.match(await page.locator("h1").innerText(), new RegExp(`^${N} structures`));
    note("first paint of the overview", await painted(page), "ms", 1000);
    for (const [what, path] of [
      ["overview", ""],
      ["list of a level", "structures?level=5"],
      ["list, page 5,000 of 10,000", "structures?page=4999"],
      ["list by level and size", "structures?level=5&objects=2"],
      ["structure 10", "structure/10"],
      ["structure 500,000", "structure/500000"],
      ["structure 999,999", "structure/999999"],
    ]) {
      await page.goto(address + path);
      note(what, await answered(page), "ms", 200);
    }
    await page.goto(`${address}structures?filter=calls+%3C+3`);
    note("first answer of a filter by fields", await answered(page), "ms", 200);
    assert.match(await page.locator("h1").innerText(), /so far/);
    await page.goto(`${address}structures?level=5`);
    note("another list while it reads", await answered(page), "ms", 200);
    const begun = performance.now();
    await page.goto(`${address}structures?filter=calls+%3C+3`);
    // The page loads itself again until the search is done.
    await page.waitForFunction(() => !document.querySelector("h1").innerText.includes("so far"), null, { timeout: 300_000 });
    note("filter that reads every structure", Math.round((performance.now() - begun) / 100) / 10, "s");
    note("memory of the server", mebibytes(child.pid, "VmRSS"), "MiB", 300);
    note("most memory of the server", mebibytes(child.pid, "VmHWM"), "MiB", 300);
    assert.deepEqual(problems, []);
  } finally {
    child.kill("SIGINT");
  }
}

function table() {
  const commit = spawnSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).stdout.trim();
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} CPUs`;
  const lines = rows.map(([what, value, most]) => `| ${what} | ${value} | ${most} |`);
  return `# A million structures in the explorer

Written by \`just explorer\`: a run of a million structures of \`${summary.suite}\`, opened in Chromium. The times
of pages are from the request to the last byte. The first paint is that of the first page after the index is
made. A filter by fields answers with what it has found so far, and its page fills itself up.

${machine}; ${new Date().toISOString().slice(0, 10)}; commit ${commit}; ${summary.suite}, k = ${summary.k}.

| what | measured | at most |
| --- | ---: | ---: |
${lines.join("\n")}
`;
}

const browser = await launch();
try {
  note("file of structures", Math.round(statSync(join(directory, "structures.jsonl")).size / 2 ** 20), "MiB");
  const page = resolve(directory, "../million.html");
  note("page of the directory", run("report", directory, "-o", page, "--quiet"), "s");
  note("size of the page", Math.round(statSync(page).size / 1024), "KiB", 5 * 1024);
  await explore(browser);
  writeFileSync(new URL("../../../../benchmarks/results/explorer.md", import.meta.url), table());
  assert.equal(n_missed, 0, "figures are missed");
} finally {
  await browser.close();
}
