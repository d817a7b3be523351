// Several runs in one page: lines of all, told apart by dash and name.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, comparisonOf, go, goEverywhere, reportOf, visit } from "./browser.mjs";

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
    assert.notEqual(await cells(), before);
    assert.equal(await page.locator("#time .totals .stacked").count(), 2);
  }));
