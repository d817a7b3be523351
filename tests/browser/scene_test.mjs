// The solid picture of mechanisms: bodies, springs, road, wheels, forces, with curves beside it and one clock.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, colours, dataOf, drawn, eventually, go, inFirefox, pageOf, picture, reportOf, visit } from "./browser.mjs";

const file = reportOf("vehicle");
const webgl = (page) => page.evaluate(() => Boolean(document.createElement("canvas").getContext("webgl2")));
const time = (page) => page.textContent("#motion .clock");
const hand = (page, selector) => page.$eval(`${selector} .hand`, (e) => (e.hidden ? null : e.getBoundingClientRect().left));

test("the run says what bodies look like", () => {
  const { scene } = dataOf(file).runs[0];
  const wheels = scene.bodies.filter((b) => b.kind === "wheel");
  assert.equal(wheels.length, 4);
  assert.equal(scene.bodies.filter((b) => b.kind === "box" && b.from === "inertia").length, scene.bodies.length - 4);
  assert.equal(scene.elements.filter((e) => e.kind === "spring").length, 4);
  assert.equal(scene.roads.length, 1);
  for (const tyre of scene.elements.filter((e) => e.kind === "contact")) assert.equal(tyre.radius, wheels[0].radius);
});

test("it is drawn as solids, in light and dark", () =>
  visit(file, { colorScheme: "light" }, async (page) => {
    await go(page, "motion");
    const seen = [];
    for (let turn = 0; turn < 2; ++turn) {
      await allDrawn(page, "#motion");
      // Lines have a few colours, lit surfaces have many.
      if (await webgl(page)) await eventually(async () => assert.ok((await colours(page, "#motion figure.motion"))[0] > 300));
      await eventually(async () => assert.ok(!seen.includes(await picture(page, "#motion")), "other colours"));
      seen.push(await picture(page, "#motion"));
      await page.click("button.theme");
    }
  }));

test("Chromium draws with WebGL here", { skip: inFirefox }, () => visit(file, {}, async (page) => assert.ok(await webgl(page))));

test("the clock is that of the picture and of every curve", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    await go(page, "motion");
    const charts = page.locator("#motion .beside figure.chart");
    assert.equal(await charts.count(), 3);
    const [start, other] = [await hand(page, "#motion .beside"), await hand(page, "#histories")];
    const before = await picture(page, "#motion");
    await page.locator('#motion input[type="range"]').fill("150");
    await eventually(async () => assert.match(await time(page), /t = 1\.5/));
    await eventually(async () => assert.ok((await hand(page, "#motion .beside")) > start + 20));
    await eventually(async () => assert.notEqual(await picture(page, "#motion"), before));
    await eventually(async () => assert.ok((await hand(page, "#histories")) > other + 20));
    // A click on a curve goes there.
    const over = charts.first().locator(".u-over");
    const box = await over.boundingBox();
    await over.click({ position: { x: 0.9 * box.width, y: box.height / 2 } });
    await eventually(async () => assert.match(await time(page), /t = 2\.[67]/));
  }));

test("forces, names and paths are shown as wished", () =>
  visit(file, {}, async (page) => {
    await go(page, "motion");
    await page.locator('#motion input[type="range"]').fill("100");
    await drawn(page);
    let before = await picture(page, "#motion");
    const solid = await webgl(page);
    for (const name of [...(solid ? ["Forces"] : []), "Names", "Paths", "Follow"]) {
      await page.locator("#motion .player label", { hasText: name }).locator("input").click();
      await eventually(async () => assert.notEqual(await picture(page, "#motion"), before, name));
      before = await picture(page, "#motion");
    }
  }));

test("what lives is shown first, not how far the vehicle has come", () =>
  visit(file, {}, async (page) => {
    await go(page, "histories");
    const shown = await page.$$eval("#histories figure.chart:not([hidden]) .legend button span:nth-child(2)", (list) => list.map((e) => e.textContent));
    const title = shown.join() || (await page.getAttribute("#histories .plot", "aria-label"));
    assert.ok(!/ x\b/.test(shown.join()), title);
    assert.match(await page.textContent("#motion .beside"), / z/);
  }));

test("physics comes before numerics, and a healthy run has no warning", () =>
  visit(file, {}, async (page) => {
    const order = await page.$$eval("nav a", (list) => list.map((a) => a.getAttribute("href").slice(1)));
    assert.deepEqual(order, ["run", "motion", "histories", "tables", "steps", "couplings", "time", "accuracy"].filter((id) => order.includes(id)));
    assert.equal(await page.locator(".box.warn, .box.bad").count(), 0);
    assert.match(await page.textContent("#run .made"), /^Run of \d{4}-\d\d-\d\d \d\d:\d\d UTC with Cosimo \d.*: cosimo run vehicle\.yaml$/);
    assert.match(await page.textContent("footer"), /Cosimo \d/);
  }));

const shapes = [
  { kind: "box", edges: [1, 0.5, 0.2] },
  { kind: "sphere", radius: 0.4 },
  { kind: "cylinder", radius: 0.3, length: 1 },
  { kind: "tube", radius: 0.4, inner: 0.3, length: 1 },
  { kind: "capsule", radius: 0.2, length: 1 },
  { kind: "mesh", points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] },
];

test("every shape is drawn", () => {
  const data = dataOf(file);
  const still = (shape, body) => ({ body, from: "shape", at: [0, 0, 0], turn: [1, 0, 0, 0], ...shape });
  const pages = shapes.map((shape, i) => {
    const copy = structuredClone(data);
    copy.runs[0].scene.bodies = data.runs[0].motion.labels.map((label) => still(shape, label));
    Object.assign(copy.runs[0].scene, { elements: [], joints: [], roads: [] });
    return pageOf(copy, `shape-${i}`);
  });
  return (async () => {
    const seen = new Set();
    for (const page of pages) {
      await visit(page, {}, async (p) => {
        await go(p, "motion");
        await allDrawn(p, "#motion");
        if (!(await webgl(p))) return seen.add(seen.size);
        seen.add(await picture(p, "#motion"));
      });
    }
    assert.equal(seen.size, shapes.length, "each looks different");
  })();
});

const crane = reportOf("crane", ["simulate.end=4"]);

test("beside the motion are the largest forces", () =>
  visit(crane, {}, async (page) => {
    await go(page, "motion");
    const names = await page.$$eval("#motion .beside figure:last-child .legend button span:nth-child(2)", (list) => list.map((e) => e.textContent));
    assert.ok(names[0].endsWith(".Fy"), `the weight is the largest: ${names}`);
  }));

test("a curve that is alone gives its name to the title", () =>
  visit(crane, {}, async (page) => {
    await go(page, "tables");
    const titles = await page.$$eval("#tables figure.chart .title", (list) => list.map((e) => e.textContent));
    assert.ok(titles.includes("elements: air.Tz_from"), titles.join());
    assert.ok(titles.includes("energy"), "the others have a legend");
  }));

const slope = reportOf("slope", ["simulate.end=60"]);

test("what is fixed to the ground is drawn", () => {
  const data = dataOf(slope);
  const { ground } = data.runs[0].scene;
  assert.deepEqual(ground.map((g) => [g.name, g.kind]), [["slope", "plane"]]);
  const still = (kind, sizes) => ({ name: kind, kind, at: [0.1, -0.2, 0], turn: [1, 0, 0, 0], ...sizes });
  const lists = [[], ground, ...shapes.map(({ kind, ...sizes }) => [still(kind, sizes)]), [...ground, ...shapes.map(({ kind, ...sizes }) => still(kind, sizes))]];
  const pages = lists.map((list, i) => {
    const copy = structuredClone(data);
    copy.runs[0].scene.ground = list;
    return pageOf(copy, `ground-${i}`);
  });
  return (async () => {
    const seen = new Set();
    for (const page of pages) {
      await visit(page, {}, async (p) => {
        await go(p, "motion");
        await allDrawn(p, "#motion");
        if (!(await webgl(p))) return seen.add(seen.size);
        seen.add(await picture(p, "#motion"));
      });
    }
    assert.equal(seen.size, lists.length, "each looks different");
  })();
});

test("a damaged scene leaves the rest", () => {
  const data = dataOf(file);
  data.runs[0].scene = { format: 1, bodies: [null, { body: 1 }], elements: [{ name: "x" }, 7], joints: "?", roads: null, ground: [null, { kind: "plane" }, { kind: "?", at: [0, 0, 0], turn: [1, 0, 0, 0] }] };
  return visit(pageOf(data, "damaged-scene"), {}, async (page) => {
    await go(page, "motion");
    await allDrawn(page, "#motion");
    assert.equal(await page.locator(".failure").count(), 0);
  });
});

test("without WebGL the bodies are points with their links", { skip: inFirefox }, () =>
  visit(file, {}, async (page) => {
    await page.addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
      };
    });
    await page.reload();
    await go(page, "motion");
    await allDrawn(page, "#motion");
    assert.ok((await colours(page, "#motion figure.motion"))[0] > 5);
  }));
