// Chromium, and what is asked of every page in it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const BACKGROUNDS = { light: [255, 255, 255], dark: [22, 24, 28] };

export function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: FLAGS });
}

// Opens an address. Only requests that `allowed` accepts are made; any other one, and whatever the
// console calls an error, is in `problems`.
export async function open(browser, address, allowed, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  const problems = [];
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (allowed(url)) return route.continue();
    problems.push(`request of ${url}`);
    return route.abort();
  });
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`script: ${error.message}`));
  await page.goto(address);
  return { context, page, problems };
}

// Nothing serious is wrong with the page for those who use other means than eyes and a mouse.
export async function assertAccessible(page, name) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
  const lines = serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html).join("\n  ")}`);
  assert.deepEqual(lines, [], `${name}: ${lines.join("\n")}`);
}

// The first pixel of a picture in PNG, as red, green and blue.
function firstPixel(png) {
  const parts = [];
  let at = 8;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  // The first byte of a line says how it is written; there is nothing before the first pixel.
  return [...inflateSync(Buffer.concat(parts)).subarray(1, 4)];
}

// The background of a page's screenshot is that of its colour scheme.
export async function assertBackground(page, scheme, name) {
  await page.emulateMedia({ colorScheme: scheme });
  const pixel = firstPixel(await page.screenshot({ clip: { x: 1, y: 1, width: 1, height: 1 } }));
  assert.deepEqual(pixel, BACKGROUNDS[scheme], `${name}: ${scheme}`);
}
