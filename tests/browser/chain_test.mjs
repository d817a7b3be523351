// The report of a cut chain: everything draws, zooms, plays and can be chosen.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, dataOf, doubleClick, drag, drawn, eventually, go, goEverywhere, picture, reportOf, shown, visit } from "./browser.mjs";

const file = reportOf("schemes");

test("says what was run, with the numbers of summary.json", () =>
  visit(file, {}, async (page) => {
    const { runs } = dataOf(file);
    const text = (await page.textContent("#run")).replaceAll("\u202f", "");
    assert.match(text, /Finished/);
    assert.ok(text.includes(String(runs[0].summary.macro_steps)));
    assert.ok(text.includes(`${runs[0].summary.rejected_steps} rejected`));
    assert.ok(text.includes(runs[0].summary.scheme) && text.includes(runs[0].summary.estimator));
    for (const choice of runs[0].summary.choices) assert.ok(text.includes(choice));
    assert.match(await page.textContent("#run pre"), /^cosimo: 1$/m);
    assert.ok(await page.evaluate(() => getComputedStyle(document.querySelector("#run details")).display !== "none"));
  }));

test("every section draws", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    for (const id of ["motion", "histories", "steps", "couplings", "time"]) {
      await allDrawn(page, `#${id}`);
    }
    assert.equal(await page.locator(".failure").count(), 0);
  }));

test("every picture has a text alternative with numbers", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    const labels = await page.$$eval('[role="img"]', (list) => list.map((e) => e.getAttribute("aria-label") ?? ""));
    assert.ok(labels.length >= 10);
    for (const label of labels) assert.match(label, /\d/);
    const named = await page.$$eval("button, select, input", (list) =>
      list.every((e) => e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length),
    );
    assert.ok(named, "every control has a name");
  }));

test("dragging over a stretch magnifies all charts over time, double click shows all again", () =>
  visit(file, {}, async (page) => {
    await go(page, "steps");
    await go(page, "histories");
    const [low, high] = await shown(page, "#histories");
    await drag(page, "#histories", 0.25, 0.5);
    const [from, to] = await shown(page, "#histories");
    assert.ok(Math.abs(from - (low + 0.25 * (high - low))) < 0.03 * (high - low));
    assert.ok(Math.abs(to - (low + 0.5 * (high - low))) < 0.03 * (high - low));
    await eventually(async () => assert.deepEqual(await shown(page, "#steps"), [from, to]));
    await doubleClick(page.locator("#histories .u-over").first());
    await eventually(async () => assert.deepEqual(await shown(page, "#histories"), [low, high]));
  }));

test("wheel, shift and drag, buttons and keys zoom and pan", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    const width = async () => (([a, b]) => b - a)(await shown(page, "#histories"));
    const all = await width();
    await page.focus("#histories figure.chart:not([hidden]) .plot");
    await page.keyboard.press("+");
    await eventually(async () => assert.ok((await width()) < 0.8 * all));
    const [before] = await shown(page, "#histories");
    await page.keyboard.press("Shift+ArrowRight");
    await eventually(async () => assert.ok((await shown(page, "#histories"))[0] > before));
    const [later] = await shown(page, "#histories");
    await drag(page, "#histories", 0.3, 0.6, ["Shift"]);
    await eventually(async () => assert.ok((await shown(page, "#histories"))[0] < later));
    await page.keyboard.press("0");
    await eventually(async () => assert.equal(await width(), all));
    await page.hover("#histories figure.chart:not([hidden]) .u-over");
    await page.mouse.wheel(0, -300);
    await eventually(async () => assert.ok((await width()) < all));
    await page.click('#histories figure.chart:not([hidden]) button:has-text("All")');
    await eventually(async () => assert.equal(await width(), all));
  }));

test("the cursor reads values, by mouse and by arrow keys", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    await page.hover("#histories figure.chart:not([hidden]) .u-over");
    await eventually(async () => assert.match(await page.textContent("#histories .legend output"), /\d/));
    await page.mouse.move(0, 0);
    await page.focus("#histories figure.chart:not([hidden]) .plot");
    await page.keyboard.press("ArrowRight");
    const spoken = () => page.textContent("#histories figure.chart:not([hidden]) [aria-live=polite]");
    await eventually(async () => assert.match(await spoken(), /t = .*\d/));
  }));

test("other bodies and velocities can be chosen, lines switched", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    const { runs } = dataOf(file);
    const body = runs[0].bodies.at(-1).name;
    await page.click("#histories .picker summary");
    await page.fill('#histories input[type="search"]', body);
    await page.locator("#histories .list label", { hasText: new RegExp(`body ${body}$`) }).locator("input").check();
    await eventually(async () => assert.match(await page.textContent("#histories .legend"), new RegExp(`body ${body} `)));
    await page.click('#histories .segments button:has-text("Velocity")');
    await eventually(async () => assert.equal(await page.textContent("#histories figure.chart:not([hidden]) .title"), "Velocity"));
    const button = page.locator("#histories figure.chart:not([hidden]) .legend button").first();
    await button.click();
    await eventually(async () => assert.equal(await button.getAttribute("aria-pressed"), "false"));
  }));

test("the motion plays and is scrubbed by keyboard", () =>
  visit(file, {}, async (page) => {
    await go(page, "motion");
    await page.focus("#motion canvas");
    const at = async () => Number(await page.inputValue('#motion input[type="range"]'));
    await page.keyboard.press("Home");
    await drawn(page);
    const first = await picture(page, "#motion");
    await page.keyboard.press("End");
    await eventually(async () => assert.ok((await at()) > 0));
    const last = await at();
    await eventually(async () => assert.notEqual(await picture(page, "#motion"), first));
    await page.keyboard.press("Home");
    await page.selectOption("#motion .player select", "0.1");
    await page.focus("#motion canvas");
    await page.keyboard.press(" ");
    await eventually(async () => assert.equal(await page.getAttribute("#motion .play", "aria-label"), "Pause"));
    await eventually(async () => assert.ok((await at()) > 0));
    await page.keyboard.press(" ");
    await eventually(async () => assert.equal(await page.getAttribute("#motion .play", "aria-label"), "Play"));
    const reached = await at();
    assert.ok(reached < last);
    await drawn(page);
    assert.equal(await at(), reached);
    await page.focus('#motion input[type="range"]');
    await page.keyboard.press("ArrowRight");
    await eventually(async () => assert.equal(await at(), reached + 1));
    assert.match(await page.textContent("#motion .clock"), /t = \d/);
  }));

test("another coupling and another stretch of the timing can be chosen", () =>
  visit(file, {}, async (page) => {
    await go(page, "couplings");
    const before = await page.getAttribute("#couplings .plot", "aria-label");
    const options = await page.$$eval("#couplings select option", (list) => list.map((o) => [o.value, o.selected]));
    await page.selectOption("#couplings select", options.find(([, selected]) => !selected)[0]);
    await eventually(async () => assert.notEqual(await page.getAttribute("#couplings .plot", "aria-label"), before));
    await go(page, "time");
    const clock = await page.textContent("#time .clock");
    await page.click('#time button[aria-label="Later"]');
    await eventually(async () => assert.notEqual(await page.textContent("#time .clock"), clock));
  }));

test("blame and times add up to what was recorded", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    const { runs } = dataOf(file);
    assert.equal(await page.locator("#steps table.bars tbody tr").count(), Math.min(runs[0].cuts.length, 30));
    assert.equal(await page.locator("#time table.bars tbody tr").count(), runs[0].summary.subsystems.length);
  }));
