// The page of subsystems alone: nothing moves, so what they give comes first.
import { strict as assert } from "node:assert";
import test from "node:test";

import { go, pageOf, dataOf, reportOf, visit } from "./browser.mjs";

const file = reportOf("heating");
const links = (page) => page.$$eval("nav a", (list) => list.map((a) => a.getAttribute("href").slice(1)));

test("no section speaks of bodies, and the outputs are shown first", () =>
  visit(file, {}, async (page) => {
    const order = await links(page);
    assert.deepEqual(order.slice(0, 2), ["run", "tables"]);
    assert.ok(!order.includes("motion") && !order.includes("histories"), order.join());
    await go(page, "run");
    const said = await page.textContent("#run");
    assert.match(said, /3 subsystems, on \d+ threads?/);
    assert.ok(!/0 bodies/.test(said));
    await go(page, "tables");
    assert.match(await page.textContent("#tables h2"), /Outputs of the subsystems/);
    const names = await page.$$eval("#tables .legend button span:nth-child(2)", (list) => list.map((e) => e.textContent).sort());
    assert.deepEqual(names, ["room.out", "thermostat.out", "walls.out"]);
    assert.equal(await page.locator(".missing").count(), 0);
  }));

test("a run of bodies whose motion is lost says so", () => {
  const data = dataOf(file);
  data.runs[0].summary.bodies = 4;
  return visit(pageOf(data, "lost"), {}, async (page) => {
    await go(page, "motion");
    assert.match(await page.textContent("#motion"), /not recorded, or cannot be read/);
    assert.ok((await links(page)).includes("histories"));
  });
});
