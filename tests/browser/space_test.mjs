// Mechanisms: the picture in the plane and in space, and the named tables.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, dataOf, drawn, eventually, go, goEverywhere, picture, reportOf, visit } from "./browser.mjs";

/// Where it is once the page has stopped scrolling.
async function stillBox(page, element) {
  for (let box = await element.boundingBox(); ; ) {
    await page.waitForTimeout(100);
    const next = await element.boundingBox();
    if (next.x === box.x && next.y === box.y) return box;
    box = next;
  }
}

for (const name of ["vehicle", "squeezer"]) {
  test(`${name}: draws, turns and magnifies`, () => {
    const file = reportOf(name);
    return visit(file, {}, async (page) => {
      assert.equal(dataOf(file).runs[0].motion.kind, "space");
      await go(page, "motion");
      await allDrawn(page, "#motion");
      const canvas = page.locator("#motion canvas").first();
      const box = await stillBox(page, canvas);
      const before = await picture(page, "#motion");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 + 20, { steps: 4 });
      await page.mouse.up();
      await eventually(async () => assert.notEqual(await picture(page, "#motion"), before));
      await drawn(page);
      const turned = await picture(page, "#motion");
      await page.focus("#motion canvas");
      await page.keyboard.press("+");
      await eventually(async () => assert.notEqual(await picture(page, "#motion"), turned));
      await page.click('#motion button:has-text("Reset view")');
      await page.mouse.move(0, 0);
      await eventually(async () => assert.ok((await picture(page, "#motion")) === before, "the view is as it was"));
    });
  });
}

test("named tables are charts, and an uncut model says so", () =>
  visit(reportOf("vehicle"), {}, async (page) => {
    await goEverywhere(page);
    const titles = await page.$$eval("#tables figcaption .title", (list) => list.map((e) => e.textContent));
    assert.ok(titles.includes("energy"));
    await allDrawn(page, "#tables");
    assert.match(await page.textContent("#couplings"), /not cut|Nothing is cut|no coupling/i);
    assert.equal(await page.locator(".failure").count(), 0);
  }));
