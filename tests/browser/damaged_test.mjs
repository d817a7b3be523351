// Pages of damaged or unfinished folders: what is there is shown, what is not is said, nothing crashes.
import { strict as assert } from "node:assert";
import test from "node:test";

import { dataOf, goEverywhere, pageOf, reportOf, visit } from "./browser.mjs";

const whole = dataOf(reportOf("schemes"));
const copy = () => structuredClone(whole);

test("nothing but a name", () => {
  const data = copy();
  Object.assign(data.runs[0], {
    remarks: ["results.h5 cannot be read."],
    summary: null, scenario: null, rows: 0, bodies_total: 0, bodies: [], motion: null, tables: [], steps: null,
    cuts_total: 0, cuts: [], couplings: [], polynomial: "none", timing: null,
  });
  return visit(pageOf(data), {}, async (page) => {
    await goEverywhere(page);
    assert.equal(await page.locator(".failure").count(), 0);
    assert.match(await page.textContent("#run"), /results.h5 cannot be read/);
    for (const id of ["run", "motion", "steps", "couplings", "time"]) assert.ok((await page.locator(`#${id} .missing`).count()) > 0, id);
  });
});

for (const key of ["summary", "scenario", "motion", "steps", "timing"]) {
  test(`without ${key} the rest is shown`, () => {
    const data = copy();
    data.runs[0][key] = null;
    return visit(pageOf(data), {}, async (page) => {
      await goEverywhere(page);
      assert.equal(await page.locator(".failure").count(), 0);
      assert.ok((await page.locator(".missing").count()) > 0);
      assert.ok((await page.locator("canvas").count()) > 3);
    });
  });
}

test("a summary of other kinds of values is no crash", () => {
  const data = copy();
  data.runs[0].summary = { status: 7, outcome: null, time: [], subsystems: {}, order_share: "x", macro_steps: "many", blame: 3 };
  return visit(pageOf(data), {}, async (page) => {
    await goEverywhere(page);
    assert.equal(await page.locator(".failure").count(), 0);
  });
});

test("values that are no numbers leave gaps", () => {
  const data = copy();
  data.runs[0].bodies[0].columns[0].position = { t: [0, 0.05, 0.1], y: [null, 1, null], of: 3 };
  data.runs[0].couplings[0].u = { t: [], y: [], of: 0 };
  return visit(pageOf(data), {}, async (page) => {
    await goEverywhere(page);
    assert.equal(await page.locator(".failure").count(), 0);
  });
});

test("a section whose data cannot be decoded says so, the others go on", () => {
  const data = copy();
  data.runs[0].timing.solve = { f32: "###" };
  return visit(pageOf(data), {}, async (page) => {
    await goEverywhere(page);
    assert.equal(await page.locator("#time .failure").count(), 1);
    assert.equal(await page.locator(".failure").count(), 1);
    assert.ok((await page.locator("#steps canvas").count()) > 0);
  });
});

test("failed runs name the reason and the culprit", () => {
  const data = copy();
  Object.assign(data.runs[0].summary, { status: "failed", outcome: { reason: "the step became too small", time: 0.03, culprit: "subsystem 4" } });
  return visit(pageOf(data), {}, async (page) => {
    const text = await page.textContent("#run");
    for (const part of ["Failed", "the step became too small", "subsystem 4", "t = 0.03 of 0.1"]) assert.ok(text.includes(part), part);
  });
});

for (const [name, text, expected] of [
  ["cut off", '{"kind": "runs", "format": 1, "ru', /could not be shown/],
  ["of another format", '{"kind": "runs", "format": 2, "runs": []}', /format 2/],
  ["without runs", '{"kind": "runs", "format": 1, "version": "0", "runs": [], "comparisons": []}', /holds no runs/],
]) {
  test(`data ${name}: a visible message`, () =>
    visit(pageOf(text), {}, async (page) => assert.match(await page.textContent(".failure"), expected)));
}

test("text in the data is text", () => {
  const data = copy();
  data.runs[0].name = "<img src=x onerror=alert(1)>";
  data.runs[0].remarks = ["</script><b>bold</b>"];
  return visit(pageOf(data), {}, async (page) => {
    assert.equal(await page.locator("img, b:has-text('bold')").count(), 0);
    assert.match(await page.textContent("#run"), /<b>bold<\/b>/);
  });
});
