// The sections of the macro step: how long the threads worked and waited in each.
import { el, note, tableHead } from "../base/dom";
import { percent, seconds } from "../base/format";
import type { Run } from "../data";
import { type Section, summaryOf } from "../run/summary";

const tableAtMost = 64;

const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0);
const most = (list: number[]): number => Math.max(0, ...list);

function overview(list: Section[], threads: number): HTMLElement {
  const total = sum(list.map((s) => sum(s.work) + sum(s.waiting))) || 1;
  const row = (s: Section) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, s.name),
      el("td", { class: "number" }, seconds(sum(s.work) / threads)),
      el("td", { class: "number" }, seconds(most(s.work))),
      el("td", { class: "number" }, seconds(sum(s.waiting) / threads)),
      el("td", { class: "number" }, percent((sum(s.work) + sum(s.waiting)) / total)),
      el("td", { class: "note" }, s.meaning),
    );
  const columns = ["Section", "Work, mean", "busiest thread", "Waiting, mean", "Share", ""];
  return el("div", { class: "scroll" }, el("table", { class: "sections" }, tableHead(columns, (i) => i > 0 && i < 5), el("tbody", {}, ...list.map(row))));
}

function perThread(list: Section[], threads: number): HTMLElement {
  const columns = ["Thread", ...list.flatMap((s) => [s.name, "waiting"])];
  const row = (k: number) =>
    el("tr", {}, el("th", { scope: "row" }, String(k)), ...list.flatMap((s) => [s.work[k], s.waiting[k]].map((x) => el("td", { class: "number" }, seconds(x)))));
  const shown = Math.min(threads, tableAtMost);
  return el(
    "details",
    {},
    el("summary", {}, "Every thread"),
    el("div", { class: "scroll limited" }, el("table", {}, tableHead(columns, (i) => i > 0), el("tbody", {}, ...Array.from({ length: shown }, (_, k) => row(k))))),
    threads > shown ? note(`${threads - shown} more threads are in timing.h5.`) : null,
  );
}

/// Nothing for runs of older versions.
export function sections(run: Run): Node[] {
  const all = summaryOf(run)?.sections ?? [];
  const threads = most(all.map((s) => Math.min(s.work.length, s.waiting.length)));
  const list = all.filter((s) => s.work.length === threads && s.waiting.length === threads && sum(s.work) + sum(s.waiting) > 0);
  if (!threads || !list.length) return [];
  return [el("h3", {}, "Sections of the step"), overview(list, threads), ...(threads > 1 ? [perThread(list, threads)] : [])];
}
