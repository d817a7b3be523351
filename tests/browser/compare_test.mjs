// Several runs in one page: lines of all, told apart by dash and name.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, comparisonOf, dataOf, eventually, go, goEverywhere, reportOf, valuesOf, visit } from "./browser.mjs";

reportOf("m1");
reportOf("m1", ["control.rtol=1e-3", "control.atol_pos=1e-5", "control.atol_vel=1e-3"], "loose");
const file = comparisonOf("m1", "loose");

test("shows facts side by side and how far apart the results are", () =>
  visit(file, {}, async (page) => {
    const head = await page.$$eval("#run table.facts thead th", (list) => list.map((e) => e.textContent));
    assert.deepEqual(head, ["", "m1", "loose"]);
    assert.match(await page.textContent("#run"), /NRMSE/);
    assert.equal(await page.locator("#run table:not(.facts) tbody tr").count(), 1);
  }));

test("histories and steps show every run", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    for (const id of ["histories", "steps"]) {
      const names = await page.$$eval(`#${id} .legend button span:nth-child(2)`, (list) => list.map((e) => e.textContent));
      for (const run of ["m1", "loose"]) assert.ok(names.some((n) => n.endsWith(`, ${run}`)), `${id} shows ${run}`);
    }
    await allDrawn(page, "#histories");
  }));

test("motion, couplings and times are of the run that is chosen", () =>
  visit(file, {}, async (page) => {
    await go(page, "time");
    const cells = () => page.$$eval("#time table.bars tbody td", (list) => list.map((e) => e.textContent).join());
    const before = await cells();
    await page.selectOption("#time label:has-text('Run') select", "1");
    await eventually(async () => assert.notEqual(await cells(), before));
    assert.equal(await page.locator("#time .totals .stacked").count(), 2);
  }));

test("the difference from the first run is a curve of its own", () =>
  visit(file, {}, async (page) => {
    const { differences, runs } = dataOf(file);
    assert.ok(differences.length > 0);
    await go(page, "histories");
    await page.click('#histories .segments button:has-text("Difference from m1")');
    // Firefox is told of a click through another process, and handles it when it gets around to it.
    await eventually(async () => {
      const names = await page.$$eval("#histories figure.chart:not([hidden]) .legend button span:nth-child(2)", (list) => list.map((e) => e.textContent));
      const words = await page.getAttribute("#histories figure.chart:not([hidden]) .plot", "aria-label");
      assert.ok(names.length > 0 && names.every((n) => n.endsWith(", loose")), names.join());
      assert.match(words, /loose: smallest/);
    });
    await allDrawn(page, "#histories");
    // It is small beside the motion itself, and not nothing.
    const largest = (series) => Math.max(...valuesOf(series.y).map(Math.abs));
    const body = runs[0].bodies.find((b) => b.label === differences[0].body);
    assert.ok(largest(differences[0].position) > 0);
    assert.ok(largest(differences[0].position) < 0.5 * largest(body.columns[0].position));
  }));
