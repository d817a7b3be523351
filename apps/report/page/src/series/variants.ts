// The variants of a series as columns of numbers, and what is chosen among them: one that is looked at, and
// those within the brushes. All views of the page share it.
import { num, seconds } from "../base/format";
import { range, type Values, values } from "../base/numbers";
import type { Scale } from "../base/scale";
import type { SeriesColumn, SeriesPage } from "../data";

export interface Column {
  name: string;
  kind: "parameter" | "measure" | "cost";
  values: Values; // of a column of words, places in them
  words: string[] | null;
}

export const stateWords = ["waiting", "running", "done", "failed"] as const;
const failed = 3;

function columnOf(c: SeriesColumn, kind: Column["kind"]): Column {
  if (!c.text) return { name: c.name, kind, values: values(c.number), words: null };
  const words = [...new Set(c.text.filter(Boolean))].sort();
  return { name: c.name, kind, values: c.text.map((word) => (word ? words.indexOf(word) : NaN)), words };
}

export const label = (c: Column, value: number): string =>
  !Number.isFinite(value) ? "–" : c.words ? (c.words[value] ?? "–") : c.kind === "cost" ? seconds(value) : num(value);

const wide = 100; // from the smallest to the largest: such columns are shown by decades

/// Low and high differ, also where all values are the same.
export function scaleOf(c: Column): Scale {
  const r = range(c.values);
  const [low, high] = r ? [r.min, r.max] : [0, 1];
  if (c.words) return { low: -0.5, high: c.words.length - 0.5, label: c.name, words: c.words };
  if (low > 0 && high / low >= wide) return { low, high, label: c.name, log: true };
  const air = high > low ? 0 : Math.abs(low) / 10 || 1;
  return { low: low - air, high: high + air, label: c.name };
}

/// The same with some space before the first and after the last value.
export function airy(s: Scale): Scale {
  if (s.words) return s;
  if (s.log) return { ...s, low: s.low / (s.high / s.low) ** 0.04, high: s.high * (s.high / s.low) ** 0.04 };
  return { ...s, low: s.low - 0.04 * (s.high - s.low), high: s.high + 0.04 * (s.high - s.low) };
}

export class Variants {
  readonly count: number;
  readonly state: Values;
  readonly parameters: Column[];
  readonly measures: Column[];
  readonly wall: Column;
  readonly pages = new Map<number, string>();
  readonly failures = new Map<number, SeriesPage["failures"][number]>();
  readonly messages = new Map<number, string>();
  chosen = -1;
  private inside: boolean[];
  private readonly listeners = new Set<() => void>();

  constructor(page: SeriesPage) {
    this.count = page.variants;
    this.state = values(page.state);
    this.parameters = page.parameters.map((c) => columnOf(c, "parameter"));
    this.measures = page.measures.map((c) => columnOf(c, "measure"));
    this.wall = { name: "wall time", kind: "cost", values: values(page.wall), words: null };
    this.inside = new Array<boolean>(this.count).fill(true);
    for (const run of page.runs) this.pages.set(run.variant, run.page);
    for (const failure of page.failures) this.failures.set(failure.variant, failure);
    for (const { variant, message } of [...page.failures, ...page.remarks]) this.messages.set(variant, message);
  }

  get columns(): Column[] {
    return [...this.parameters, ...this.measures, this.wall];
  }
  /// Those with more than one value.
  get varying(): Column[] {
    return this.columns.filter((c) => c.words !== null ? c.words.length > 1 : (range(c.values)?.min ?? 0) < (range(c.values)?.max ?? 0));
  }
  count_of(state: (typeof stateWords)[number]): number {
    const wanted = stateWords.indexOf(state);
    return Array.from(this.state).filter((s) => s === wanted).length;
  }
  failed(variant: number): boolean {
    return this.state[variant] === failed;
  }
  kept(variant: number): boolean {
    return this.inside[variant];
  }
  get keptCount(): number {
    return this.inside.filter(Boolean).length;
  }

  choose(variant: number): void {
    if (variant === this.chosen) return;
    this.chosen = variant;
    this.tell();
  }
  keep(inside: boolean[]): void {
    this.inside = inside;
    this.tell();
  }
  listen(listener: () => void): void {
    this.listeners.add(listener);
  }
  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  /// "variant 7: k = 3, worst = 0.25".
  words(variant: number): string {
    const named = [...this.parameters, ...this.measures].map((c) => `${c.name} = ${label(c, c.values[variant])}`);
    const failure = this.failures.get(variant);
    return `Variant ${variant + 1}: ${[...named, ...(failure ? [`failed (${failure.fault})`] : [])].join(", ")}`;
  }
}
