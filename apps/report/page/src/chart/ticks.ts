// Lines of axes that are not logarithmic.

/// Multiples of the increment within; where fewer than two are, the increment becomes the next smaller of 1, 2
/// and 5: one number alone tells no scale.
export function evenLines(min: number, max: number, increment: number): number[] {
  if (!(max > min) || !(increment > 0) || !Number.isFinite(max - min)) return [];
  for (let step = increment; ; step = smaller(step)) {
    const [from, to] = [Math.ceil(min / step - 1e-9), Math.floor(max / step + 1e-9)];
    if (to - from < 1) continue;
    return Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step || 0);
  }
}

function smaller(step: number): number {
  const leading = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
  return Number((step * (leading > 2.1 ? 0.4 : 0.5)).toPrecision(6));
}
