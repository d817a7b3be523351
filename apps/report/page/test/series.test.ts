import { strict as assert } from "node:assert";
import test from "node:test";

import { marks, share } from "../src/base/scale";
import { passes, sorted } from "../src/series/order";
import { airy, label, scaleOf, Variants } from "../src/series/variants";

const number = (name: string, ...values: number[]) => ({ name, kind: "parameter" as const, values, words: null });

test("variants sort both ways, and what has no value comes last", () => {
  const keys = [3, NaN, 1, 3, 2];
  assert.deepEqual(sorted(5, (i) => keys[i], false), [2, 4, 0, 3, 1]);
  assert.deepEqual(sorted(5, (i) => keys[i], true), [0, 3, 4, 2, 1]);
});

test("scales: even ones, decades, words, and a single value", () => {
  const even = scaleOf(number("x", 2, 6, NaN));
  assert.deepEqual([even.low, even.high, even.log], [2, 6, undefined]);
  assert.equal(share(even, 3), 0.25);
  const decades = scaleOf(number("k", 1, 1e4));
  assert.ok(decades.log && Math.abs(share(decades, 100) - 0.5) < 1e-15);
  assert.deepEqual(marks(decades, 400, 60), [1, 10, 100, 1000, 10000]);
  assert.ok(airy(decades).low < 1 && airy(decades).high > 1e4);
  const same = scaleOf(number("x", 5, 5));
  assert.ok(same.low < 5 && same.high > 5);
  const words = scaleOf({ ...number("w", 0, 1, 0), words: ["a", "b"] });
  assert.deepEqual([share(words, 0), share(words, 1)], [0.25, 0.75]);
  assert.deepEqual(marks(words, 1, 1), [0, 1]);
});

test("a line of parallel coordinates is found between its points, not over its gaps", () => {
  const line: ([number, number] | null)[] = [[0, 0], [10, 20], null, [30, 0]];
  assert.equal(passes(line, 5), 10);
  assert.equal(passes(line, 15), null);
  assert.equal(passes(line, 40), null);
});

test("words become places; brushes and choices are told to all", () => {
  const v = new Variants({
    kind: "series", format: 1, version: "", name: "", file: "", notes: [], variants: 3, state: [2, 3, 2],
    failures: [{ variant: 1, fault: "crash", message: "", log: "" }], remarks: [], runs: [{ variant: 2, page: "r" }],
    parameters: [{ name: "scheme", number: null, text: ["b", "a", "b"] }, { name: "same", number: [1, 1, 1], text: null }],
    measures: [{ name: "m", number: [1, NaN, 2.5], text: null }], wall: [1, 1, 1], curves: [],
  });
  assert.deepEqual(Array.from(v.parameters[0].values), [1, 0, 1]);
  assert.equal(label(v.parameters[0], 1), "b");
  assert.equal(label(v.measures[0], NaN), "–");
  assert.deepEqual(v.varying.map((c) => c.name), ["scheme", "m"]);
  let told = 0;
  v.listen(() => ++told);
  v.choose(1);
  v.choose(1);
  v.keep([true, false, true]);
  assert.equal(told, 2);
  assert.equal(v.keptCount, 2);
  assert.equal(v.words(1), "Variant 2: scheme = a, same = 1, m = –, failed (crash)");
});
