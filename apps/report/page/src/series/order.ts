// Orders and places of variants, apart from any picture.

/// What has no value comes last, whichever way it goes; what is equal keeps its order.
export function sorted(count: number, key: (i: number) => number, down: boolean): number[] {
  const rank = (i: number): number => {
    const k = key(i);
    return Number.isFinite(k) ? (down ? -k : k) : Infinity;
  };
  const ranks = Array.from({ length: count }, (_, i) => rank(i));
  return ranks.map((_, i) => i).sort((a, b) => (ranks[a] === ranks[b] ? a - b : ranks[a] < ranks[b] ? -1 : 1));
}

/// Where a line passes at x, between its points; null: it does not.
export function passes(points: ([number, number] | null)[], x: number): number | null {
  for (let k = 1; k < points.length; ++k) {
    const [a, b] = [points[k - 1], points[k]];
    if (!a || !b || x < a[0] || x > b[0]) continue;
    return a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0]);
  }
  return null;
}
