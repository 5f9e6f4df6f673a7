// Measures the explorer and the page of a run with a million structures.
//
//     node million.mjs PROGRAMS [--write]
//
// PROGRAMS is the directory with the built `beget`. The run is made first, which takes some
// gigabytes of the disk for a while. The script fails where a figure is missed. With --write the
// table goes to benchmarks/results/explorer.md.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, open } from "./browser.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const RUN = "generate scopes/roops/ncl.ron -k 8 --max-structures 1000000";
const N = 1_000_000;
const [programs, option] = process.argv.slice(2);
assert(programs, "the directory with the programs is missing");
const beget = join(resolve(programs), "beget");
const work = mkdtempSync(join(tmpdir(), "beget-million-"));
const directory = join(work, "structures");
const rows = [];

// A row of the table; the figure must not be more than `most`, if there is one.
function note(what, value, unit, most) {
  assert(most === undefined || value <= most, `${what}: ${value} ${unit}, at most ${most}`);
  rows.push([what, `${value} ${unit}`, most === undefined ? "" : `${most} ${unit}`]);
  console.log(`${what}: ${value} ${unit}`);
}

function run(line) {
  const begun = performance.now();
  const ended = spawnSync(beget, line.split(" "), { cwd: ROOT, encoding: "utf8" });
  assert(!ended.error && ended.status !== 2, `${line}: ${ended.stderr}`);
  return Math.round((performance.now() - begun) / 100) / 10;
}

function serve() {
  const begun = performance.now();
  const child = spawn(beget, ["explore", directory], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
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
      ["list, first page", "structures?level=7"],
      ["list, page 5,000 of 10,000", "structures?page=4999"],
      ["list by level and size", "structures?level=6&objects=6"],
      ["structure 10", "structure/10"],
      ["structure 500,000", "structure/500000"],
      ["structure 999,999", "structure/999999"],
    ]) {
      await page.goto(address + path);
      note(what, await answered(page), "ms", 200);
    }
    await page.goto(`${address}structures?filter=size+%3D%3D+3&objects=5`);
    note("filter by a field, of the structures with 5 objects", await answered(page), "ms");
    note("memory of the server", mebibytes(child.pid, "VmRSS"), "MiB", 300);
    note("most memory of the server", mebibytes(child.pid, "VmHWM"), "MiB", 300);
    assert.deepEqual(problems, []);
  } finally {
    child.kill("SIGINT");
  }
}

function table() {
  const commit = spawnSync("git", ["rev-parse", "--short=10", "HEAD"], { cwd: ROOT, encoding: "utf8" }).stdout.trim();
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} CPUs`;
  const lines = rows.map(([what, value, most]) => `| ${what} | ${value} | ${most} |`);
  return `# A million structures in the explorer

\`just explorer\` writes this table. The structures are those of \`beget ${RUN}\`. The times of pages
are from the request to the last byte, in Chromium; the first paint is that of the first page.

${machine}; ${new Date().toISOString().slice(0, 10)}; commit ${commit}.

| what | measured | at most |
| --- | ---: | ---: |
${lines.join("\n")}
`;
}

const browser = await launch();
try {
  note("run, written to a directory", run(`${RUN} -o ${directory} --quiet`), "s");
  note("file of structures", Math.round(statSync(join(directory, "structures.jsonl")).size / 2 ** 20), "MiB");
  const page = join(work, "page.html");
  note("page of the directory", run(`report ${directory} -o ${page} --quiet`), "s");
  note("size of the page", Math.round(statSync(page).size / 1024), "KiB", 5 * 1024);
  await explore(browser);
  if (option === "--write") writeFileSync(join(ROOT, "benchmarks/results/explorer.md"), table());
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
