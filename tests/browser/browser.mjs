// Pages in a real browser. Tests are plain Node programs:
//
//   COSIMO_PROGRAM=bin/cosimo COSIMO_SOURCE=. COSIMO_PAGE_BUILD=build/page node chain_test.mjs
//
// Without the browser they end with code 77, which ctest takes for skipped.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

const program = process.env.COSIMO_PROGRAM;
const source = process.env.COSIMO_SOURCE;
const build = process.env.COSIMO_PAGE_BUILD;

// COSIMO_BROWSER=firefox takes Debian's Firefox, through WebDriver BiDi; without it Chromium is taken.
const firefox = process.env.COSIMO_BROWSER === "firefox";
const places = firefox
  ? [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"]
  : [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"];
const executablePath = places.find((path) => path && existsSync(path));
if (!executablePath) {
  console.log(`skipped: no ${firefox ? "Firefox" : "Chromium"} here`);
  process.exit(77);
}
const playwright = createRequire(join(build, "package.json"))("playwright-core");

// Without a graphics card WebGL is computed.
const quiet = ["no-sandbox", "use-angle=swiftshader", "enable-unsafe-swiftshader", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"];
let browser;
const folder = mkdtempSync(join(tmpdir(), "cosimo-browser-"));
before(async () => {
  browser = firefox
    ? await playwright._bidiFirefox.launch({ executablePath })
    : await playwright.chromium.launch({ executablePath, args: quiet.map((flag) => `--${flag}`) });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/// report.html of a run of examples/NAME.yaml.
export function reportOf(name, settings = [], out = name) {
  const place = join(folder, out);
  const file = join(place, "report.html");
  if (existsSync(file)) return file;
  const set = settings.flatMap((s) => ["--set", s]);
  execFileSync(program, ["run", join(source, "examples", `${name}.yaml`), "--out", place, ...set], { stdio: "pipe" });
  assert.ok(existsSync(file), "cosimo run writes report.html");
  return file;
}

/// The page that compares these runs.
export function comparisonOf(...names) {
  const file = join(folder, "compare.html");
  execFileSync(program, ["report", ...names.map((n) => join(folder, n)), "-o", file], { stdio: "pipe" });
  return file;
}

/// What a page is made from.
export function dataOf(file) {
  const text = readFileSync(file, "utf8");
  return JSON.parse(text.split('<script id="cosimo-data" type="application/json">')[1].split("</script>")[0]);
}

/// A page of other data: an object, or text as it is.
export function pageOf(data, name = "page") {
  const template = readFileSync(join(build, "template.html"), "utf8");
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const file = join(folder, `${name}.html`);
  writeFileSync(file, template.replace("@@COSIMO_TITLE@@", () => name).replace("@@COSIMO_DATA@@", () => text.replaceAll("<", "\\u003c")));
  return file;
}

/// Opens a page, does something with it, and sees to it that the page neither complained nor asked for anything.
export async function visit(file, options, act) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  // What the page saves it makes itself: a blob is no network.
  page.on("request", (request) => request.url() !== pathToFileURL(file).href && !request.url().startsWith("blob:") && complaints.push(`asked for ${request.url()}`));
  try {
    await page.goto(pathToFileURL(file).href);
    await act(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/// Tries until it holds: pages draw when they get around to it.
export async function eventually(check) {
  for (const end = Date.now() + 20000; ; await new Promise((done) => setTimeout(done, 50))) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/// Until what was asked for is drawn: two pictures of the browser.
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/// Goes to a section by its link and waits until it is built.
export async function go(page, id) {
  await page.click(`nav a[href="#${id}"]`);
  await page.waitForFunction((name) => document.querySelector(`#${name} .body`)?.children.length > 0, id);
  await drawn(page);
}

export async function goEverywhere(page) {
  for (const id of await page.$$eval("nav a", (links) => links.map((a) => a.getAttribute("href").slice(1)))) await go(page, id);
}

/// Of every canvas in there: how many different colours it shows.
export const colours = (page, selector) =>
  page.$$eval(`${selector} canvas`, (list) =>
    list
      .filter((canvas) => canvas.width && canvas.getClientRects().length)
      .map((canvas) => {
        const copy = document.createElement("canvas");
        Object.assign(copy, { width: canvas.width, height: canvas.height });
        const pen = copy.getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        const { data } = pen.getImageData(0, 0, copy.width, copy.height);
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        return seen.size;
      }),
  );

/// Every picture in there shows something.
export const allDrawn = (page, selector) =>
  eventually(async () => {
    const found = await colours(page, selector);
    assert.ok(found.length > 0, `${selector} has pictures`);
    for (const n of found) assert.ok(n > 3, `pictures of ${selector} are not blank`);
  });

/// The stretch of x that the first chart in there shows.
export const shown = (page, selector) =>
  page.$eval(`${selector} figure.chart:not([hidden])`, (figure) => [Number(figure.dataset.from), Number(figure.dataset.to)]);

// Through BiDi there are no events of downloads yet: the link that would start one is caught in the page.
async function caught(page, act) {
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = async function () {
      const bytes = new Uint8Array(await (await window.blobs.get(this.href)).arrayBuffer());
      window.caught = { name: this.download, bytes: [...bytes] };
    };
    window.caught = null;
    window.blobs ??= new Map();
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      const url = make(blob);
      window.blobs.set(url, blob);
      return url;
    };
  });
  await act();
  await page.waitForFunction(() => window.caught);
  const { name, bytes } = await page.evaluate(() => window.caught);
  return { name, bytes: Buffer.from(bytes) };
}

/// What a button saves: the name of the file and its bytes.
export async function saved(page, act) {
  if (firefox) return caught(page, act);
  const download = page.waitForEvent("download");
  await act();
  const file = await download;
  const place = join(folder, `saved-${file.suggestedFilename()}`);
  await file.saveAs(place);
  return { name: file.suggestedFilename(), bytes: readFileSync(place) };
}

/// Two clicks sent through BiDi are no double click to Firefox.
export const doubleClick = (locator) => (firefox ? locator.dispatchEvent("dblclick") : locator.dblclick());

export const inFirefox = firefox;

export const picture = (page, selector) => page.$eval(`${selector} canvas`, (canvas) => canvas.toDataURL());

/// Drags over the chart from one share of its width to another.
export async function drag(page, selector, from, to, keys = []) {
  const over = page.locator(`${selector} figure.chart:not([hidden]) .u-over`).first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(box.x + from * box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  for (const key of keys) await page.keyboard.up(key);
  await drawn(page);
}

/// Numbers of the data, decoded.
export const valuesOf = (n) => (Array.isArray(n) ? n : [...new Float64Array(Uint8Array.from(Buffer.from(n.f64, "base64")).buffer)]);
