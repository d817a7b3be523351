// Pages of studies: verdicts first, figures with switches, tables.
import { strict as assert } from "node:assert";
import test from "node:test";

import { allDrawn, eventually, goEverywhere, pageOf, visit } from "./browser.mjs";

const statements = [
  { published: "The order is 3", where: "5.1, Figure 5.2", ours: "2.98", verdict: "agrees", reason: "", timed: false },
  { published: "Twice as fast", where: "5.6", ours: "1.4 times", verdict: "differs", reason: "two cores only", timed: true },
  { published: "A cluster of 1000 cores", where: "5.7", ours: "", verdict: "not shown", reason: "no such machine", timed: false },
];
const h = [1e-4, 1e-3, 1e-2];
const study = {
  kind: "study", format: 1, version: "0.1.0", seed: 1, failed: "", name: "convergence", title: "Convergence of the coupling", source: "5.1",
  about: ["Errors over the macro step."], settings: ["ten subsystems"], scale: 1, statements,
  figures: [
    {
      id: "orders", title: "Error over H", where: "Figure 5.2", note: "slopes are orders", timed: false,
      x: { label: "H", log: true }, y: { label: "error", log: true },
      series: [
        { name: "kappa 1", style: "line", x: h, y: h.map((x) => x ** 2) },
        { name: "kappa 2", style: "points", x: h, y: h.map((x) => x ** 3) },
        { name: "broken off", style: "steps", x: [...h].reverse(), y: [null, 0, 1e-5] },
      ],
    },
  ],
  tables: [{ id: "numbers", title: "Observed orders", note: "", timed: false, columns: ["kappa", "order"], rows: [["1", 2], ["2", 2.99999]] }],
};

test("a study shows its verdicts, figures and tables", () =>
  visit(pageOf(study), {}, async (page) => {
    await goEverywhere(page);
    assert.equal(await page.locator("section").first().getAttribute("id"), "verdicts");
    const rows = await page.$$eval("#verdicts tbody tr", (list) => list.map((r) => r.textContent));
    assert.equal(rows.length, 3);
    assert.match(rows[1], /Twice as fast.*5\.6.*1\.4 times.*timed.*differs.*two cores only/);
    await allDrawn(page, "#figures");
    assert.match(await page.textContent("#tables"), /Observed orders.*3/s);
    assert.match(await page.textContent("#about"), /ten subsystems/);
    const button = page.locator("#figures .legend button").first();
    const before = await page.$eval("#figures canvas", (c) => c.toDataURL());
    await button.click();
    await eventually(async () => assert.notEqual(await page.$eval("#figures canvas", (c) => c.toDataURL()), before));
    assert.equal(await page.locator(".failure").count(), 0);
  }));

test("the overview counts, links, and lists what is not reproduced", () => {
  const data = {
    kind: "studies", format: 1, version: "0.1.0", scale: 1,
    studies: [
      { name: "convergence", title: "Convergence", page: "convergence/report.html", statements, failed: "" },
      { name: "safety", title: "Safety factors", page: "", statements: [statements[0]], failed: "out of memory" },
    ],
  };
  return visit(pageOf(data), {}, async (page) => {
    await goEverywhere(page);
    assert.match(await page.textContent("#overview"), /2 of 4 published statements are reproduced/);
    assert.equal(await page.getAttribute("#overview tbody a", "href"), "convergence/report.html");
    assert.match(await page.textContent("#overview"), /out of memory/);
    const totals = await page.$$eval("#overview tfoot td", (list) => list.map((e) => e.textContent));
    assert.deepEqual(totals, ["", "4", "2", "1", "1"]);
    assert.equal(await page.locator("#open tbody tr").count(), 2);
  });
});
