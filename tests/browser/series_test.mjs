// Pages of series: failures first, a table that sorts, brushes that all views follow, curves laid over each other.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, eventually, go, goEverywhere, pageOf, picture, visit } from "./browser.mjs";

// A grid of 5 stiffnesses, 4 speeds and 2 schemes. Where the stiffness is largest at the highest speed, runs fail.
const stiffness = [1e2, 1e3, 1e4, 1e5, 1e6];
const speed = [10, 15, 20, 25];
const schemes = ["explicit", "waveform"];
const points = stiffness.flatMap((k) => speed.flatMap((v) => schemes.map((scheme) => ({ k, v, scheme }))));
const fails = (p) => p.k === 1e6 && p.v === 25;
const worst = points.map((p) => (fails(p) ? null : p.v / Math.log10(p.k)));
const t = Array.from({ length: 50 }, (_, i) => i / 10);
const series = {
  kind: "series", format: 1, version: "0.1.0", name: "speeds.sweep", file: "speeds.yaml", notes: ["curve is drawn with up to 50 of 500 points; sweep.h5 has all of them."],
  variants: points.length,
  state: points.map((p, i) => (fails(p) ? 3 : i === 2 ? 0 : 2)),
  failures: points.flatMap((p, i) => (fails(p) ? [{ variant: i, fault: "solver", message: "steps became too small at t = 0.3", log: "logs/ab.log" }] : [])),
  remarks: [{ variant: 4, message: "worst: it never holds" }],
  runs: [{ variant: 0, page: "runs/ab/report.html" }],
  parameters: [
    { name: "k", number: points.map((p) => p.k), text: null },
    { name: "speed", number: points.map((p) => p.v), text: null },
    { name: "scheme", number: null, text: points.map((p) => p.scheme) },
  ],
  measures: [{ name: "worst", number: worst.map((w, i) => (i === 2 ? null : w)), text: null }],
  wall: points.map((_, i) => (i === 2 ? null : 0.01 * (i + 1))),
  curves: [
    {
      name: "sway",
      curves: points.flatMap((p, i) => (fails(p) || i === 2 ? [] : [{ variant: i, series: { t, y: t.map((s) => p.v * Math.sin(s)), of: 500 } }])),
    },
  ],
};
const file = pageOf(series, "series");

const column = (page, k) => page.$$eval(`#variants tbody tr td:nth-child(${k})`, (list) => list.map((e) => e.textContent));
const ascends = (list) => list.every((x, i) => !i || x >= list[i - 1]);

test("shows what failed first, with its reason and its log", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    assert.equal(await page.locator(".failure").count(), 0);
    assert.match(await page.textContent("header .pill"), /1 to go/);
    const rows = await page.$$eval("#overview .failures tbody tr", (list) => list.map((r) => r.textContent));
    assert.equal(rows.length, 2);
    assert.match(rows[0], /^39.*k = 1000000, speed = 25, scheme = explicit.*solver.*too small at t = 0\.3.*log/);
    assert.equal(await page.getAttribute("#overview .failures a", "href"), "logs/ab.log");
    assert.match(await page.textContent("#overview"), /Variants40Done37Failed2Waiting or running1/);
    assert.deepEqual((await column(page, 2)).slice(0, 4), ["failed", "failed", "done", "done"]);
    const messages = await column(page, 8);
    assert.match(messages[0], /too small/);
    assert.deepEqual(messages.filter((m) => m.includes("never holds")).length, 1);
  }));

test("sorts by every column, both ways; what has no value comes last", () =>
  visit(file, {}, async (page) => {
    await go(page, "variants");
    assert.equal((await column(page, 1)).length, 40);
    const by = (name) => page.click(`#variants thead button:has-text("${name}")`);
    await by("worst");
    assert.equal(await page.getAttribute('#variants th:has-text("worst")', "aria-sort"), "ascending");
    const up = await column(page, 6);
    assert.deepEqual(up.slice(-3), ["–", "–", "–"]);
    assert.ok(ascends(up.slice(0, -3).map(Number)));
    await by("worst");
    assert.equal(await page.getAttribute('#variants th:has-text("worst")', "aria-sort"), "descending");
    const down = await column(page, 6);
    assert.deepEqual(down.slice(-3), ["–", "–", "–"]);
    assert.ok(ascends(down.slice(0, -3).map((x) => -Number(x))));
    await by("scheme");
    const words = await column(page, 5);
    assert.deepEqual([words[0], words.at(-1)], ["explicit", "waveform"]);
    await by("Variant");
    assert.deepEqual((await column(page, 1)).slice(0, 3), ["1", "2", "3"]);
    assert.equal(await page.getAttribute("#variants tbody tr:first-child a", "href"), "runs/ab/report.html");
  }));

test("the pictures are drawn and follow the choice of quantities", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    for (const id of ["scatter", "parallel", "curves"]) await allDrawn(page, `#${id}`);
    assert.match(await page.getAttribute("#scatter canvas", "aria-label"), /worst over k, 37 variants/);
    assert.match(await page.textContent("#scatter"), /3 variants without k or worst are not shown/);
    const before = await picture(page, "#scatter");
    await page.selectOption("#scatter label:has-text('Across') select", { label: "scheme" });
    await eventually(async () => assert.notEqual(await picture(page, "#scatter"), before));
    assert.match(await page.getAttribute("#scatter canvas", "aria-label"), /worst over scheme/);
    const coloured = await picture(page, "#curves");
    await page.selectOption("#curves label:has-text('Colour') select", { label: "scheme" });
    await eventually(async () => assert.notEqual(await picture(page, "#curves"), coloured));
  }));

test("a brush keeps what is within it, in all views, until it is removed", () =>
  visit(file, {}, async (page) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await goEverywhere(page);
    const all = await picture(page, "#curves");
    const canvas = page.locator("#parallel canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    // The first axis is k, from 60 pixels on; its upper half has 1e5 and 1e6, and half of the way is 1e4.
    await page.mouse.move(box.x + 60, box.y + 44);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 44 + 0.4 * (box.height - 62), { steps: 6 });
    await page.mouse.up();
    await eventually(async () => assert.equal((await column(page, 1)).length, 16));
    assert.ok((await column(page, 3)).every((k) => ["100000", "1000000"].includes(k)));
    assert.match(await page.textContent("#variants"), /16 of 40 variants are within the brushes/);
    await eventually(async () => assert.notEqual(await picture(page, "#curves"), all));
    await page.click('#parallel button:has-text("Remove the brushes")');
    await eventually(async () => assert.equal((await column(page, 1)).length, 40));
  }));

test("a variant under the pointer is named, and marked in the table", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    await page.hover("#variants tbody tr:nth-child(4)");
    assert.match(await page.textContent("#scatter .about-variant"), /^Variant 2: k = 100, speed = 10, scheme = waveform, worst = 5/);
    assert.equal(await page.locator("#variants tr.chosen").count(), 1);
    await page.focus("#curves canvas");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent("#curves .about-variant"), /^Variant 3/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.match(await page.textContent("#curves .about-variant"), /^Variant 1/);
    assert.equal(await page.getAttribute("#curves .about-variant a", "href"), "runs/ab/report.html");
  }));

test("a series that has only begun, or varies nothing, has a page", () => {
  const empty = { ...series, variants: 2, state: [0, 0], failures: [], remarks: [], runs: [], parameters: [], measures: [{ name: "worst", number: [null, null], text: null }], wall: [null, null], curves: [] };
  return visit(pageOf(empty, "empty"), {}, async (page) => {
    await goEverywhere(page);
    assert.equal(await page.locator(".failure").count(), 0);
    assert.match(await page.textContent("#scatter"), /no two quantities that differ/);
  });
});

test("thousands of variants open at once", () => {
  const n = 5000;
  const many = {
    ...series, variants: n, state: Array(n).fill(2), failures: [], remarks: [], runs: [], curves: [],
    parameters: [{ name: "k", number: Array.from({ length: n }, (_, i) => i), text: null }],
    measures: [{ name: "worst", number: Array.from({ length: n }, (_, i) => (i * 7919) % n), text: null }],
    wall: Array(n).fill(0.01),
  };
  return visit(pageOf(many, "many"), {}, async (page) => {
    await goEverywhere(page);
    assert.equal((await column(page, 1)).length, 200);
    await page.click('#variants button:has-text("Show more")');
    assert.equal((await column(page, 1)).length, 1200);
    await page.click('#variants thead button:has-text("worst")');
    assert.deepEqual((await column(page, 4)).slice(0, 3), ["0", "1", "2"]);
  });
});
