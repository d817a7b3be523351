// Which curves are shown first: those with most in them once their mean course is taken away. A vehicle that
// drives shows how it heaves, not how far it has come; a crank that turns evenly is passed over.
import { type Course, range } from "../base/numbers";
import type { Run } from "../data";

/// Largest minus smallest value around the straight line that fits best, in the least squares.
export function liveliness({ t, y }: Course): number {
  let n = 0;
  let [st, sy] = [0, 0];
  for (let i = 0; i < y.length; ++i) {
    if (!Number.isFinite(y[i])) continue;
    n += 1;
    st += t[i];
    sy += y[i];
  }
  if (n < 2) return 0;
  const [mt, my] = [st / n, sy / n];
  let [stt, sty] = [0, 0];
  for (let i = 0; i < y.length; ++i) {
    if (!Number.isFinite(y[i])) continue;
    stt += (t[i] - mt) ** 2;
    sty += (t[i] - mt) * (y[i] - my);
  }
  const slope = stt > 0 ? sty / stt : 0;
  const left = range(Array.from(y, (value, i) => value - my - slope * (t[i] - mt)));
  const whole = range(y);
  if (!left || !whole) return 0;
  const found = left.max - left.min;
  // What rounding leaves of a straight line is nothing.
  return found > 1e-9 * magnitude({ t, y }) ? found : 0;
}

/// The largest absolute value.
export function magnitude({ y }: Course): number {
  const whole = range(y);
  return whole ? Math.max(Math.abs(whole.max), Math.abs(whole.min)) : 0;
}

/// Beside a curve of this life it would make that one look straight: a way of 50 m beside a heave of 5 cm.
export function hides(c: Course, life: number): boolean {
  const whole = range(c.y);
  return whole !== null && whole.max - whole.min > 10 * life;
}

/// Coordinates that share an axis; those that come first are shown first if anything moves there.
export const kinds: string[][] = [["x", "y", "z"], ["phi"], ["qw", "qx", "qy", "qz"]];

/// Places below this share of the model's size are rounding, such as those of a top on a fixed tip.
export function leastLength(run: Run): number {
  const sizes = (run.scene?.bodies ?? []).map((b) => Math.max(b?.radius ?? 0, b?.length ?? 0, ...(b?.edges ?? [])));
  return 1e-7 * Math.max(0, ...sizes.filter(Number.isFinite));
}

/// Places of the liveliest, at most so many, none of which has less than a share of the first, or is nearer to
/// another than `apart`: neighbours say the same.
export function liveliest(courses: Course[], most: number, { apart = 0, least = 0, share = 0.02 } = {}): number[] {
  const found = courses.map((c, at) => ({ at, size: liveliness(c) })).sort((a, b) => b.size - a.size || a.at - b.at);
  const chosen: number[] = [];
  for (const { at, size } of found) {
    if (chosen.length >= most || !(size > least) || size < share * found[0].size) break;
    if (chosen.length && hides(courses[at], found[0].size)) continue;
    if (chosen.every((c) => Math.abs(c - at) >= apart)) chosen.push(at);
  }
  return chosen;
}

/// Places of those that become largest, at most so many, none of which has less than a share of the first.
export function strongest(courses: Course[], most: number, share = 0.02): number[] {
  const found = courses.map((c, at) => ({ at, size: magnitude(c) })).sort((a, b) => b.size - a.size || a.at - b.at);
  return found.filter(({ size }) => size > 0 && size >= share * found[0].size).slice(0, most).map(({ at }) => at);
}
