import { strict as assert } from "node:assert";
import test from "node:test";

import { count, num, percent, seconds } from "../src/base/format";
import { describe } from "../src/chart/describe";
import { aligned, nearestDrawn } from "../src/chart/lines";

test("numbers have so many digits and no more zeros than needed", () => {
  assert.deepEqual([0, 1, -2.5, 0.1 + 0.2, 123456.789, 5e-5, 1e-9, -1e8, 1.5e7].map((x) => num(x)), [
    "0", "1", "−2.5", "0.3", "123460", "5·10⁻⁵", "10⁻⁹", "−10⁸", "1.5·10⁷",
  ]);
  assert.deepEqual([null, undefined, NaN, "7"].map((x) => num(x)), ["–", "–", "–", "–"]);
});

test("counts, shares and times", () => {
  assert.equal(count(29358), "29\u202f358");
  assert.deepEqual([0, 0.0002, 0.055, 0.94].map(percent), ["0.0 %", "< 0.1 %", "5.5 %", "94 %"]);
  assert.deepEqual([2.5e-6, 0.0767, 1.5, 90, 3720].map(seconds), ["2.5 µs", "76.7 ms", "1.5 s", "1 min 30 s", "1 h 2 min"]);
});

test("lines of different times share one table; gaps and alignment are told apart", () => {
  const a = { name: "a", color: 0, x: [0, 2], y: [1, NaN] };
  const b = { name: "b", color: 1, x: [1, 2], y: [5, 0] };
  assert.deepEqual(aligned([a, b], false, false), [[0, 1, 2], [1, undefined, null], [undefined, 5, 0]]);
  assert.deepEqual(aligned([a, b], false, true)[2], [undefined, 5, null]);
  assert.deepEqual(aligned([], false, false), [[]]);
  assert.equal(nearestDrawn([undefined, 5, null, undefined], 3), 1);
});

test("a chart in words tells range and extremes", () => {
  const words = describe("Position", "t", [{ name: "body 1", color: 0, x: [0, 1, 2], y: [3, -4, 0] }]);
  assert.match(words, /t from 0 to 2/);
  assert.match(words, /smallest −4 at t = 1, largest 3 at t = 0/);
  assert.match(describe("Position", "t", []), /nothing chosen/);
});
