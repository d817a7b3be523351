// Scales of axes: what is where along them, and which numbers are written there.
import { logLines } from "../chart/decades";
import { num } from "./format";

/// Round numbers between, about one per `space` pixels.
export function ticks(low: number, high: number, pixels: number, space: number): number[] {
  const rough = (high - low) / Math.max(pixels / space, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5, 10].find((m) => m * unit >= rough) ?? 10);
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; ++k) found.push(k * step);
  return found;
}

export interface Scale {
  low: number;
  high: number;
  label: string;
  integers?: boolean;
  log?: boolean;
  words?: string[]; // of the places 0, 1, 2 ..., instead of numbers
}

/// How far along the scale a value is, from 0 to 1.
export const share = (s: Scale, value: number): number =>
  s.log ? Math.log(value / s.low) / Math.log(s.high / s.low) : (value - s.low) / (s.high - s.low);

/// What is written along it, so many pixels apart.
export function marks(s: Scale, pixels: number, space: number): number[] {
  if (s.words) return [...s.words.keys()];
  return s.log ? logLines(s.low, s.high, pixels / space) : ticks(s.low, s.high, pixels, space).filter((v) => !s.integers || Number.isInteger(v));
}
export const markText = (s: Scale, value: number): string => s.words?.[value] ?? num(value, 6);
