// Ranges and lines of logarithmic axes. uPlot's own search for them does not end for very small numbers.

const decade = (k: number): number => Number(`1e${k}`);

/// Whole decades around, at most `decades` below the upper end.
export function decadesAround(low: number, high: number, decades = Infinity): [number, number] {
  const top = Math.ceil(Math.log10(high) - 1e-9);
  const bottom = Math.floor(Math.log10(low) + 1e-9);
  return [decade(Math.max(Math.min(bottom, top - 1), top - decades)), decade(top)];
}

/// Powers of ten within, not more than fit; over few decades also the numbers between.
export function logLines(min: number, max: number, fit: number): number[] {
  if (!(min > 0) || !(max > min)) return [];
  const [from, to] = [Math.floor(Math.log10(min) + 1e-9), Math.ceil(Math.log10(max) - 1e-9)];
  const count = Math.log10(max / min);
  const between = count <= 1.2 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : count <= 2.5 ? [1, 2, 5] : [1];
  const step = between.length > 1 ? 1 : Math.max(1, Math.ceil(count / Math.max(fit, 1)));
  const lines: number[] = [];
  for (let k = Math.ceil(from / step) * step; k <= to; k += step) {
    for (const m of between) {
      const value = m * decade(k);
      if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9)) lines.push(value);
    }
  }
  return lines;
}
