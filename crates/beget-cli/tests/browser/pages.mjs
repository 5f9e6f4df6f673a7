// Opens a page of each kind that beget writes, and goes through the explorer by keyboard alone.
//
//     node pages.mjs PROGRAMS [--update]
//
// PROGRAMS is the directory with the built `beget` and `cargo-beget`. With --update the pictures in
// docs/src/images are taken again, and docs/src/history.html and docs/images/edit.svg, the page and
// the picture of README's type, are written. Pages are opened from their files, without a network.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { assertAccessible, assertBackground, launch, open } from "./browser.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const IMAGES = join(ROOT, "docs/src/images");
const MOST_BYTES = 200_000;
const [programs, option] = process.argv.slice(2);
assert(programs, "the directory with the programs is missing");
const updates = option === "--update";
const work = join(resolve(programs), "../browser");
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const beget = join(resolve(programs), "beget");

// One page of each command: the exit code, what its verdict says, and its number of causes.
const PAGES = [
  ["sound", 0, "report scopes/roops/ncl.ron -k 3 -o", /is sound within these bounds/, 0],
  ["causes", 1, "report scopes/fajita/avl.ron -k 3 --all -o", /^1 cause of failure/, 1],
  ["generate", 0, "generate scopes/kiasan/treeset.ron -k 4 --report", /structures of kiasan::treeset/, 0],
  ["compare", 1, "compare scopes/roops/ncl.ron -k 2 --repok published --report", /builds less than the repOK/, 1],
  ["builders", 0, "builders scopes/kiasan/treeset.ron -k 2 --report", /sufficient and minimal/, 0],
  ["diff", 0, "diff scopes/real/linkedlist.ron --against real::vecdeque -k 2 --report", /No difference/, 0],
  ["difference", 1, "diff scopes/real/btreeset.ron -k 2 --against real::btreemap --report", /is different from/, 1],
  ["random", 0, "random scopes/jpf/bintree.ron --max-calls 500 --report", /500 random calls/, 0],
  ["evolve", 0, "evolve scopes/jpf/bintree.ron --generations 8 --population 8 --report", /Genes/, 0],
  ["call", 0, "call scopes/real/stablegraph.ron --report", /called with success/, 0],
  ["repok", 0, "repok scopes/roops/ncl.ron -k 2 --report", /the repOK admits/, 0],
];

// The pictures of the book that show a section of a page: the file, its heading, and the page.
const SECTIONS = [
  ["report-compare", "Structures of one side only", "compare"],
  ["report-diff", "Causes", "difference"],
  ["report-random", "The course of the run", "random"],
  ["report-evolve", "Fitness by generation", "evolve"],
  ["report-call", "Methods by what they took", "call"],
  ["report-builders", "What is lost without each builder", "builders"],
];
const README_PAGE = join(ROOT, "docs/src/history.html");
const README_PICTURE = join(ROOT, "docs/images/edit.svg");

function run(program, line, options = {}) {
  const ended = spawnSync(program, line, { cwd: ROOT, encoding: "utf8", ...options });
  assert(!ended.error, `${program}: ${ended.error}`);
  return ended;
}

function write([name, code, line, wanted, nCauses]) {
  const path = join(work, `${name}.html`);
  const ended = run(beget, [...line.split(" "), path, "--color", "never"]);
  assert.equal(ended.status, code, `${line}: ${ended.stdout}${ended.stderr}`);
  return { name, path, wanted, nCauses };
}

async function picture(page, name, options = {}) {
  if (!updates) return;
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({ path, ...options });
  assert(statSync(path).size < MOST_BYTES, `${name}.png is too large`);
}

const isOfFile = (url) => url.startsWith("file:");

async function checkPage(browser, { name, path, wanted, nCauses }) {
  const { context, page, problems } = await open(browser, pathToFileURL(path).href, isOfFile);
  assert.match(await page.locator("h1").innerText(), wanted, name);
  assert.equal(await page.locator("article.cause").count(), nCauses, name);
  for (const scheme of ["dark", "light"]) {
    await assertBackground(page, scheme, name);
    await assertAccessible(page, `${name}, ${scheme}`);
  }
  const films = page.locator(".film");
  if (await films.count() > 0) await checkFilm(page, films.first(), name);
  if (name === "causes") await takePictures(page, films.first());
  for (const [file, title] of SECTIONS.filter(([, , of]) => of === name)) {
    const section = page.locator("section, article").filter({ has: page.locator(`h2:text-is("${title}")`) });
    await picture(page, file, { clip: await area(section.first()) });
  }
  assert.deepEqual(problems, [], name);
  await context.close();
  // All of it can be read without JavaScript.
  const plain = await open(browser, pathToFileURL(path).href, isOfFile, { javaScriptEnabled: false });
  assert.equal(await plain.page.locator("article.cause").count(), nCauses, name);
  assert.deepEqual(plain.problems, [], name);
  await plain.context.close();
}

async function takePictures(page, film) {
  await picture(page, "report-film", { clip: await area(film) });
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, "report-check");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "report-dark");
}

async function checkFilm(page, film, name) {
  const n = await film.locator("ol > li").count();
  await film.focus();
  for (let at = 0; at < n + 1; at += 1) await page.keyboard.press("ArrowRight");
  assert.equal(await film.getAttribute("data-frame"), String(n), name);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await film.getAttribute("data-frame"), String(Math.max(1, n - 1)), name);
}

// The type of README in a crate of its own: the pages that its test leaves.
async function checkReadme(browser) {
  const crate = join(work, "history");
  mkdirSync(join(crate, "src"), { recursive: true });
  const [, source] = /```rust\n([^]*?)```/.exec(readFileSync(join(ROOT, "README.md"), "utf8"));
  writeFileSync(join(crate, "src/lib.rs"), source);
  writeFileSync(join(crate, "Cargo.toml"), `[package]
name = "history"
version = "0.1.0"
edition = "2024"

[dev-dependencies]
beget = { path = ${JSON.stringify(join(ROOT, "crates/beget"))} }

[workspace]
`);
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: join(resolve(programs), "../tmp/own-crate/target"),
    PATH: `${resolve(programs)}:${process.env.PATH}`,
  };
  const line = ["test", "--quiet"];
  const first = run("cargo", line, { cwd: crate, env: { ...env, BEGET_REPORT: work } });
  assert.notEqual(first.status, 0, first.stdout);
  assert(existsSync(join(work, "index.html")), `${first.stdout}${first.stderr}`);
  const index = await open(browser, pathToFileURL(join(work, "index.html")).href, isOfFile);
  await assertAccessible(index.page, "index");
  await index.page.locator("a").first().focus();
  await index.page.keyboard.press("Enter");
  await index.page.waitForSelector("h1");
  assert.match(await index.page.locator("h1").innerText(), /1 cause of failure in History/);
  assert.deepEqual(index.problems, []);
  await index.context.close();
  await checkReadmePage(browser, { crate, source, env });
  checkReadmePicture({ crate, env });
}

// The test that the button copies compiles beside the type, and fails as the page says.
async function checkCopiedTest(page, { crate, source, env }) {
  await page.locator(".test button.copy").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".test button.copy:text-is('Copied')");
  const test = await page.evaluate(() => navigator.clipboard.readText());
  const [, name] = /fn (\w+)\(\)/.exec(test);
  const message = await page.locator(".cause .message").innerText();
  const [, wanted] = /panicked at .*?:\d+:\d+: (.*)/.exec(message);
  writeFileSync(join(crate, "src/lib.rs"), `${source}\n${test}\n`);
  const ended = run("cargo", ["test", "--quiet", name], { cwd: crate, env });
  assert.match(ended.stdout, /1 failed/, `${ended.stdout}${ended.stderr}`);
  assert(ended.stdout.includes(wanted), `${wanted}: ${ended.stdout}`);
  writeFileSync(join(crate, "src/lib.rs"), source);
}

// The picture in README: structure 4 has three versions, and its `edit` is the call that breaks it.
function checkReadmePicture({ crate, env }) {
  const file = join(work, "edit.svg");
  const show = ["show", "scopes/history.ron", "--before-after", "4", "edit(0)", "-o", file];
  for (const line of [["init"], show]) {
    const ended = run("cargo", ["beget", ...line, "--profile", "dev"], { cwd: crate, env });
    assert.equal(ended.status, 0, `${ended.stdout}${ended.stderr}`);
  }
  const written = readFileSync(file, "utf8");
  if (updates) writeFileSync(README_PICTURE, written);
  assert.equal(readFileSync(README_PICTURE, "utf8"), written, "docs/images/edit.svg is old");
}

// The page that README links is that of `cargo beget report` in the crate, but for times.
async function checkReadmePage(browser, { crate, source, env }) {
  const path = join(work, "readme.html");
  const ended = run("cargo", ["beget", "report", "--profile", "dev", "-o", path], { cwd: crate, env });
  assert.equal(ended.status, 1, `${ended.stdout}${ended.stderr}`);
  const written = readFileSync(path, "utf8");
  if (updates) writeFileSync(README_PAGE, written);
  const withoutTimes = (text) => text.replace(/<section aria-labelledby="resources"[^]*?<\/section>/, "");
  assert.equal(withoutTimes(readFileSync(README_PAGE, "utf8")), withoutTimes(written), "docs/src/history.html is old");
  const { context, page, problems } = await open(browser, pathToFileURL(path).href, isOfFile);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await checkCopiedTest(page, { crate, source, env });
  assert.deepEqual(problems, []);
  await context.close();
  await checkPage(browser, { name: "history", path: README_PAGE, wanted: /1 cause of failure in History/, nCauses: 1 });
}

async function area(locator) {
  await locator.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await locator.boundingBox();
  return { x, y, width, height };
}

function serve(line) {
  const child = spawn(beget, ["explore", ...line], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((found, failed) => {
    let text = "";
    child.on("exit", (code) => failed(new Error(`the explorer ended with ${code}`)));
    child.stdout.on("data", (part) => {
      text += part;
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
      if (address) found({ child, address: address[0] });
    });
  });
}

// Whole pages are read at once: what a key does is done when the next page is there.
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForLoadState("load");
}

async function checkExplorer(browser) {
  const { child, address } = await serve(["scopes/kiasan/treeset.ron", "-k", "5", "--quiet"]);
  child.removeAllListeners("exit");
  try {
    const own = (url) => url.startsWith(address);
    const { page, problems } = await open(browser, address, own);
    const title = () => page.locator("h1").innerText();
    const leads = async (pattern, ...keys) => {
      const before = page.url();
      await press(page, ...keys);
      await page.waitForURL((url) => url.href !== before);
      assert.match(await title(), pattern, keys.join(" "));
    };
    assert.match(await title(), /structures of kiasan::treeset/);
    await picture(page, "explore-overview");
    await assertAccessible(page, "overview");
    await leads(/structures, page 1/, "ArrowDown", "j", "j", "Enter");
    assert.match(page.url(), /level=3/);
    await assertAccessible(page, "list");
    await leads(/^TreeSet \d+$/, "j", "k", "j", "Enter");
    await assertAccessible(page, "structure");
    for (const scheme of ["dark", "light"]) await assertBackground(page, scheme, "explorer");
    assert.equal(await page.locator("svg.heap").count(), 1);
    assert.match(await page.locator("section", { hasText: "Fields" }).innerText(), /root/);
    const number = await title();
    await leads(/^TreeSet \d+$/, "ArrowRight");
    assert.notEqual(await title(), number);
    await leads(/^TreeSet \d+$/, "ArrowLeft");
    assert.equal(await title(), number);
    await leads(/calls on/i, "c");
    await assertAccessible(page, "calls");
    await leads(/^TreeSet \d+$/, "Backspace");
    await leads(/structures of kiasan::treeset/, "u");
    await page.keyboard.press("/");
    await page.keyboard.type("size > 4 && root.color == Black");
    await leads(/structures, page 1/, "Enter");
    const filtered = [page.url(), await page.locator("main").innerText()];
    await page.reload();
    assert.deepEqual([page.url(), await page.locator("main").innerText()], filtered);
    await leads(/^TreeSet \d+$/, "j", "Enter");
    await picture(page, "explore-structure");
    // The lists of the form, by keyboard too.
    await leads(/structures of kiasan::treeset/, "u");
    await page.keyboard.press("/");
    for (const key of ["Tab", "r", "Tab", "r"]) await page.keyboard.press(key);
    await leads(/^30 structures|structures, page 1/, "Tab", "Enter");
    assert.match(page.url(), /method=remove&outcome=returned/);
    await page.keyboard.press("?");
    assert(await page.locator("#keys").evaluate((list) => list.open));
    assert.deepEqual(problems, []);
  } finally {
    child.kill("SIGINT");
  }
}

const browser = await launch();
try {
  for (const page of PAGES) {
    await checkPage(browser, write(page));
    console.log(`${page[0]}: as it should be`);
  }
  await checkReadme(browser);
  console.log("readme: as it should be");
  await checkExplorer(browser);
  console.log("explorer: as it should be");
} finally {
  await browser.close();
}
