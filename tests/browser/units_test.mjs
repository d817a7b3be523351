// The report of a scenario that says what its numbers mean.
import { strict as assert } from "node:assert";
import test from "node:test";

import { dataOf, go, reportOf, saved, visit } from "./browser.mjs";

const file = reportOf("quarter_car");

/// All words of the first chart of a section, as they are saved.
async function words(page, section) {
  await go(page, section);
  const menu = page.locator(`#${section} figure.chart:not([hidden]) details.menu`).first();
  await menu.locator("summary").click();
  const { bytes } = await saved(page, () => menu.locator("button", { hasText: "SVG" }).click());
  return [...bytes.toString("utf8").matchAll(/<text[^>]*>([^<]*)/g)].map((found) => found[1]);
}

test("axes say in which units they are", () =>
  visit(file, {}, async (page) => {
    assert.equal(dataOf(file).runs[0].summary.units.length, "m");
    const motion = await words(page, "histories");
    assert.ok(motion.includes("t in s") && motion.includes("position in m"), motion.join("; "));
    const energy = await words(page, "tables");
    assert.ok(energy.includes("energy in J"), energy.join("; "));
  }));

test("a healthy run shows no warning", () =>
  visit(file, {}, async (page) => {
    assert.equal(await page.locator(".failure, .box.warn, [role=alert]").count(), 0);
    const text = await page.textContent("body");
    assert.match(text, /cosimo run (\S*\/)?quarter_car\.yaml/);
    assert.match(text, /\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  }));
