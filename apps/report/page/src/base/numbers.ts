// Numbers as they came: decoded when first asked for, and kept.
import type { Numbers, Series } from "../data";

export type Values = ArrayLike<number>;

const decoded = new WeakMap<object, Values>();
const empty: Values = [];

function bytes(text: string): ArrayBuffer {
  const binary = atob(text);
  const result = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) result[i] = binary.charCodeAt(i);
  return result.buffer;
}

function decode(n: Exclude<Numbers, number[]>): Values {
  if ("f64" in n) return new Float64Array(bytes(n.f64));
  if ("f32" in n) return new Float32Array(bytes(n.f32));
  if ("i32" in n) return new Int32Array(bytes(n.i32));
  if ("u8" in n) return new Uint8Array(bytes(n.u8));
  return empty;
}

/// Nothing for null: what is missing has no values. Values that JSON cannot hold (null) become NaN.
export function values(n: Numbers | null | undefined): Values {
  if (!n) return empty;
  const known = decoded.get(n);
  if (known) return known;
  const result = Array.isArray(n) ? n.map((x) => (typeof x === "number" ? x : NaN)) : decode(n);
  decoded.set(n, result);
  return result;
}

export interface Course {
  t: Values;
  y: Values;
}

/// Time and value, cut to the shorter where they do not match.
export function course(s: Series | null | undefined): Course {
  const t = values(s?.t);
  const y = values(s?.y);
  if (t.length === y.length) return { t, y };
  const n = Math.min(t.length, y.length);
  return { t: Array.prototype.slice.call(t, 0, n), y: Array.prototype.slice.call(y, 0, n) };
}

export interface Range {
  min: number;
  max: number;
  at_min: number; // positions
  at_max: number;
}

/// Of the finite values; null: there are none.
export function range(v: ArrayLike<number | null | undefined>): Range | null {
  let found: Range | null = null;
  for (let i = 0; i < v.length; ++i) {
    const x = v[i];
    if (x === null || x === undefined || !Number.isFinite(x)) continue;
    if (!found) found = { min: x, max: x, at_min: i, at_max: i };
    if (x < found.min) (found.min = x), (found.at_min = i);
    if (x > found.max) (found.max = x), (found.at_max = i);
  }
  return found;
}

/// Position of the nearest of ascending values; -1: there are none.
export function nearest(v: Values, x: number): number {
  if (!v.length) return -1;
  let low = 0;
  let high = v.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (v[middle] <= x) low = middle;
    else high = middle;
  }
  return x - v[low] <= v[high] - x ? low : high;
}

export function sum(v: Values): number {
  let total = 0;
  for (let i = 0; i < v.length; ++i) total += v[i];
  return total;
}
