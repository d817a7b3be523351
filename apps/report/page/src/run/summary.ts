// summary.json read with care: every entry may be missing or of another kind in a damaged file.
import type { Run } from "../data";

type Json = Record<string, unknown>;

const record = (x: unknown): Json => (x && typeof x === "object" && !Array.isArray(x) ? (x as Json) : {});
const number = (x: unknown): number | null => (typeof x === "number" && Number.isFinite(x) ? x : null);
const text = (x: unknown): string => (typeof x === "string" ? x : "");
const texts = (x: unknown): string[] => (Array.isArray(x) ? x.filter((s): s is string => typeof s === "string") : []);

export const segmentNames = ["solve", "idle", "snapshot", "interface", "transport", "output"] as const;
export type Segments = Record<(typeof segmentNames)[number], number | null>;

export interface Subsystem {
  bodies: number | null;
  method: string;
  micro_steps: number | null;
  rejected_micro_steps: number | null;
  evaluations: number | null;
  seconds: number | null;
  idle: number | null;
  rank: number | null;
}

export interface Rank {
  host: string;
  threads: number | null;
  subsystems: number | null;
  memory_mb: number | null;
  time: Segments;
}

/// A section of the macro step: seconds that every thread worked and waited there.
export interface Section {
  name: string;
  meaning: string;
  work: number[];
  waiting: number[];
}

export interface Summary {
  status: string;
  reason: string;
  culprit: string;
  time: number | null; // reached
  number: (key: string) => number | null;
  text: (key: string) => string;
  choices: string[];
  advice: string[];
  segments: Segments | null;
  subsystems: Subsystem[];
  ranks: Rank[];
  sections: Section[];
  order_share: { order: string; share: number }[];
}

function segmentsOf(x: unknown): Segments {
  const json = record(x);
  return Object.fromEntries(segmentNames.map((name) => [name, number(json[name])])) as Segments;
}

function subsystem(x: unknown): Subsystem {
  const json = record(x);
  return {
    bodies: number(json.bodies),
    method: text(json.method),
    micro_steps: number(json.micro_steps),
    rejected_micro_steps: number(json.rejected_micro_steps),
    evaluations: number(json.evaluations),
    seconds: number(json.seconds),
    idle: number(json.idle),
    rank: number(json.rank),
  };
}

function rank(x: unknown): Rank {
  const json = record(x);
  return {
    host: text(json.host),
    threads: number(json.threads),
    subsystems: number(json.subsystems),
    memory_mb: number(json.memory_mb),
    time: segmentsOf(json.time),
  };
}

const list = (x: unknown): unknown[] => (Array.isArray(x) ? x : []);
const numbers = (x: unknown): number[] => list(x).map((n) => number(n) ?? 0);

function section(x: unknown): Section {
  const json = record(x);
  return { name: text(json.name), meaning: text(json.meaning), work: numbers(json.work), waiting: numbers(json.waiting) };
}

const known = new WeakMap<Run, Summary | null>();

/// null: there is no summary.json.
export function summaryOf(run: Run): Summary | null {
  const before = known.get(run);
  if (before !== undefined) return before;
  const result = run.summary ? parse(run.summary) : null;
  known.set(run, result);
  return result;
}

function parse(json: Json): Summary {
  const outcome = record(json.outcome);
  const shares = Object.entries(record(json.order_share)).map(([order, share]) => ({ order, share: number(share) ?? 0 }));
  return {
    status: text(json.status),
    reason: text(outcome.reason),
    culprit: text(outcome.culprit),
    time: number(outcome.time),
    number: (key) => number(json[key]),
    text: (key) => text(json[key]),
    choices: texts(json.choices),
    advice: texts(json.advice),
    segments: json.time ? segmentsOf(json.time) : null,
    subsystems: list(json.subsystems).map(subsystem),
    ranks: list(json.rank_reports).map(rank),
    sections: list(json.sections).map(section),
    order_share: shares,
  };
}
