// Every chart as PNG, SVG and CSV.
import { strict as assert } from "node:assert";
import test from "node:test";

import { dataOf, drag, drawn, eventually, go, reportOf, saved, shown, visit } from "./browser.mjs";

const file = reportOf("quickstart");

async function save(page, section, kind) {
  const menu = page.locator(`#${section} figure.chart:not([hidden]) details.menu`).first();
  await menu.locator("summary").click();
  return saved(page, () => menu.locator("button", { hasText: kind }).click());
}

test("the numbers are those of the run", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    const { name, bytes } = await save(page, "histories", "CSV");
    assert.equal(name, "position.csv");
    const [head, ...rows] = bytes.toString("utf8").trim().split("\n");
    const columns = head.split(",");
    assert.equal(columns[0], "t");
    assert.match(columns[1], /^body \d+ x$/);
    const data = dataOf(file).runs[0];
    assert.ok(rows.length >= data.bodies[0].columns[0].position.of * 0.9 || rows.length > 300);
    const times = rows.map((row) => Number(row.split(",")[0]));
    assert.ok(times.every((t, i) => i === 0 || t > times[i - 1]), "in the order of time");
    for (const row of rows) assert.equal(row.split(",").length, columns.length);
    assert.ok(rows.some((row) => Number(row.split(",")[1]) !== 0));
  }));

test("a line that is switched off is not saved", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    const count = async () => (await save(page, "histories", "CSV")).bytes.toString("utf8").split("\n")[0].split(",").length;
    const all = await count();
    const button = page.locator("#histories figure.chart:not([hidden]) .legend button").first();
    await button.click();
    await eventually(async () => assert.equal(await button.getAttribute("aria-pressed"), "false"));
    assert.equal(await count(), all - 1);
  }));

test("the drawing has title, axes and the stretch that is shown", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    const [low, high] = await shown(page, "#histories");
    await drag(page, "#histories", 0.25, 0.5);
    await eventually(async () => assert.ok((await shown(page, "#histories"))[1] < high));
    const { name, bytes } = await save(page, "histories", "SVG");
    assert.equal(name, "position.svg");
    const svg = bytes.toString("utf8");
    const [from, to] = await shown(page, "#histories");
    const sound = await page.evaluate((text) => {
      const doc = new DOMParser().parseFromString(text, "image/svg+xml");
      const words = (selector) => [...doc.querySelectorAll(selector)].map((e) => e.textContent);
      return { bad: doc.querySelector("parsererror") !== null, words: words("text"), ticks: words("text[text-anchor=middle]:not([font-weight])"), curves: doc.querySelectorAll("g[clip-path] path").length };
    }, svg);
    assert.equal(sound.bad, false);
    for (const word of ["Position", "t", "position"]) assert.ok(sound.words.includes(word), word);
    assert.ok(sound.curves >= 1);
    assert.ok(sound.ticks.length > 2);
    const slack = 1e-6 * (high - low);
    for (const tick of sound.ticks.filter((w) => !w.includes("·"))) assert.ok(Number(tick) >= from - slack && Number(tick) <= to + slack, tick);
  }));

test("the picture is one", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    await drawn(page);
    const { name, bytes } = await save(page, "histories", "PNG");
    assert.equal(name, "position.png");
    assert.deepEqual([...bytes.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    assert.ok(width > 400 && height > 300);
    assert.ok(bytes.length > 5000);
  }));

test("by keyboard, and Escape closes the list", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    const menu = page.locator("#histories figure.chart:not([hidden]) details.menu").first();
    await menu.locator("summary").focus();
    await page.keyboard.press("Enter");
    assert.ok(await menu.evaluate((m) => m.open));
    await page.keyboard.press("Escape");
    assert.ok(!(await menu.evaluate((m) => m.open)));
  }));
