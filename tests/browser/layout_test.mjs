// Theme, narrow and wide screens, fingers, keyboard, paper.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, drawn, eventually, go, goEverywhere, picture, reportOf, visit } from "./browser.mjs";

const file = reportOf("waves");
const back = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("follows the system, and the switch changes page and charts", async () => {
  let light;
  await visit(file, { colorScheme: "light" }, async (page) => {
    light = await back(page);
    await go(page, "histories");
    await drawn(page);
    const before = await picture(page, "#histories");
    await page.click("button.theme");
    assert.notEqual(await back(page), light);
    await eventually(async () => assert.notEqual(await picture(page, "#histories"), before));
    await page.reload();
    assert.notEqual(await back(page), light, "the choice is remembered");
    await page.click("button.theme");
    assert.equal(await back(page), light);
  });
  await visit(file, { colorScheme: "dark" }, async (page) => assert.notEqual(await back(page), light));
});

for (const width of [360, 768, 2560]) {
  test(`${width} pixels wide: nothing sticks out`, () =>
    visit(file, { viewport: { width, height: 800 } }, async (page) => {
      await goEverywhere(page);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await allDrawn(page, "main");
    }));
}

test("fingers pan and pinch", () =>
  visit(file, { viewport: { width: 400, height: 800 }, hasTouch: true }, async (page) => {
    await go(page, "histories");
    const width = () => page.$eval("#histories figure.chart", (f) => Number(f.dataset.to) - Number(f.dataset.from));
    const all = await width();
    await page.evaluate(() => {
      const over = document.querySelector("#histories .u-over");
      over.setPointerCapture = () => {};
      const box = over.getBoundingClientRect();
      const send = (type, id, share) =>
        over.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: "touch", clientX: box.left + share * box.width, clientY: box.top + 20, bubbles: true }));
      send("pointerdown", 1, 0.45);
      send("pointerdown", 2, 0.55);
      send("pointermove", 2, 0.9);
      send("pointerup", 1, 0.45);
      send("pointerup", 2, 0.9);
    });
    await eventually(async () => assert.ok((await width()) < 0.5 * all));
  }));

test("everything is reached by the tab key, and the focus is seen", () =>
  visit(file, {}, async (page) => {
    await goEverywhere(page);
    await page.evaluate(() => (document.activeElement.blur(), window.scrollTo(0, 0)));
    const seen = new Set();
    for (let i = 0; i < 120; ++i) {
      await page.keyboard.press("Tab");
      const [name, outlined] = await page.evaluate(() => {
        const e = document.activeElement;
        const style = getComputedStyle(e);
        return [`${e.closest("section")?.id ?? "head"} ${e.tagName}`, e === document.body || style.outlineStyle !== "none"];
      });
      assert.ok(outlined, `${name} shows its focus`);
      seen.add(name);
    }
    for (const place of ["head BUTTON", "motion CANVAS", "motion INPUT", "histories SUMMARY", "histories DIV"]) assert.ok(seen.has(place), place);
  }));

test("on paper all sections are there, light, without controls", () =>
  visit(file, { colorScheme: "dark" }, async (page) => {
    await page.pdf(); // prepares for printing as the browser does
    const empty = await page.$$eval("section .body", (list) => list.filter((b) => !b.children.length).length);
    assert.equal(empty, 0);
    await page.emulateMedia({ media: "print" });
    assert.ok(!(await page.isVisible("nav")) && !(await page.isVisible("button.theme")));
  }));
