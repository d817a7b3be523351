// Lines of a chart: what to draw, and one table for uPlot from courses that were recorded at different times.
import type { Values } from "../base/numbers";

export interface Line {
  name: string;
  color: number; // of the palette
  dash?: number[];
  style?: "line" | "points" | "steps";
  x: Values;
  y: ArrayLike<number | null>;
}

export type Row = (number | null | undefined)[];

const drawable = (y: number | null | undefined, log: boolean): number | null =>
  y === null || y === undefined || !Number.isFinite(y) || (log && y <= 0) ? null : y;

function sameTimes(lines: Line[]): boolean {
  return lines.every((l) => l.x === lines[0].x && l.x.length === l.y.length);
}

/// x of all lines, then y of each. Where another line has a value and this one has none stands undefined, which
/// uPlot passes over; null is a gap. Values that a logarithmic axis cannot show are gaps.
export function aligned(lines: Line[], logX: boolean, logY: boolean): Row[] {
  if (!lines.length) return [[]];
  if (sameTimes(lines) && !logX) {
    return [Array.from(lines[0].x), ...lines.map((l) => Array.from(l.y, (y) => drawable(y, logY)))];
  }
  const all = new Set<number>();
  for (const line of lines) {
    for (let i = 0; i < line.x.length; ++i) if (drawable(line.x[i], logX) !== null) all.add(line.x[i]);
  }
  const x = Float64Array.from(all).sort();
  const place = new Map<number, number>();
  x.forEach((value, i) => place.set(value, i));
  const rows = lines.map((line) => {
    const row: Row = new Array(x.length).fill(undefined);
    for (let i = 0; i < Math.min(line.x.length, line.y.length); ++i) {
      const at = place.get(line.x[i]);
      if (at !== undefined) row[at] = drawable(line.y[i], logY);
    }
    return row;
  });
  return [Array.from(x), ...rows];
}

/// Nearest position that has a value, for the cursor.
export function nearestDrawn(row: Row, position: number): number {
  for (let d = 0; d < row.length; ++d) {
    if (typeof row[position - d] === "number") return position - d;
    if (typeof row[position + d] === "number") return position + d;
  }
  return position;
}
