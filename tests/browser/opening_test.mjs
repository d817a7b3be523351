// Large pages open at once: what is not on the screen is neither decoded nor drawn.
import { strict as assert } from "node:assert";
import { statSync } from "node:fs";
import test from "node:test";

import { allDrawn, dataOf, go, pageOf, reportOf, visit } from "./browser.mjs";

const limit = 2000; // milliseconds

// The page of a real run with long courses of 13 bodies in it: more than nine megabytes.
function largePage() {
  const data = dataOf(reportOf("waves"));
  const body = data.runs[0].bodies[0];
  const t = new Float64Array(16000).map((_, i) => i);
  const encode = (a) => ({ f64: Buffer.from(a.buffer).toString("base64") });
  const course = (b) => ({ t: encode(t), y: encode(t.map((x) => Math.sin(x / (50 + b)))), of: 1e6 });
  data.runs[0].bodies = Array.from({ length: 13 }, (_, b) => ({
    ...body, label: b + 1, name: String(b + 1), columns: [{ name: "x", position: course(b), velocity: course(b) }],
  }));
  return pageOf(data, "large");
}

// The best of a few: others may be busy on this machine.
async function best(measure) {
  let least = Infinity;
  for (let i = 0; i < 4 && least >= limit; ++i) least = Math.min(least, await measure());
  return least;
}

test("nine megabytes open in two seconds", async () => {
  const file = largePage();
  assert.ok(statSync(file).size > 9e6);
  const ready = await best(async () => {
    let took = Infinity;
    await visit(file, {}, async (page) => {
      await page.waitForSelector("html[data-ready]");
      took = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd);
    });
    return took;
  });
  assert.ok(ready < limit, `${ready} ms`);
});

test("and so do their histories", async () => {
  const file = largePage();
  const drawn = await best(async () => {
    let took = Infinity;
    await visit(file, {}, async (page) => {
      const begin = Date.now();
      await go(page, "histories");
      took = Date.now() - begin;
      await allDrawn(page, "#histories");
    });
    return took;
  });
  assert.ok(drawn < limit, `${drawn} ms`);
});
