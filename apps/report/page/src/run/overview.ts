// What was run and how it ended.
import { el, missing } from "../base/dom";
import { count, num, plural, seconds } from "../base/format";
import type { Run, RunsPage } from "../data";
import { type Summary, summaryOf } from "./summary";

const endings: Record<string, { word: string; look: string }> = {
  ok: { word: "Finished", look: "good" },
  failed: { word: "Failed", look: "bad" },
  interrupted: { word: "Interrupted", look: "warn" },
};

export function statusPill(run: Run): HTMLElement {
  const s = summaryOf(run);
  const ending = s ? (endings[s.status] ?? { word: s.status || "Unknown", look: "warn" }) : { word: "Unfinished", look: "warn" };
  return el("span", { class: `pill ${ending.look}` }, ending.word);
}

function headline(s: Summary): string {
  const end = s.number("t_end");
  const of = end !== null && s.time !== null && s.time < end ? ` of ${num(end)}` : "";
  const resumed = s.number("resumed_from");
  const since = resumed !== null ? `, resumed from t = ${num(resumed)}` : "";
  return `t = ${num(s.time)}${of} reached in ${seconds(s.number("wall_s"))}${since}`;
}

function machine(s: Summary): string {
  const cut = (s.number("parts") ?? 1) > 1;
  const bodies = s.number("bodies") ?? 0;
  const parts = cut ? ` in ${plural(s.number("parts") ?? 0, "subsystem")}` : ", uncut";
  const ranks = s.number("ranks") ?? 1;
  const where = ranks > 1 ? `${plural(ranks, "rank")} with ${plural(s.number("threads") ?? 1, "thread")} each` : plural(s.number("threads") ?? 1, "thread");
  const model = bodies > 0 ? `${plural(bodies, "body", "bodies")}${parts}` : plural(s.number("parts") ?? 1, "subsystem");
  return `${model}, on ${where}`;
}

export function coupling(s: Summary): string {
  if (!s.text("scheme") || s.text("scheme") === "none") return "not cut: one solver for all";
  const words = [s.text("scheme"), s.text("decomposition"), `estimator ${s.text("estimator")}`, s.text("details")];
  return words.filter((w) => w && w !== "estimator ").join(", ");
}

export interface Fact {
  name: string;
  value: (s: Summary) => string;
  hint?: (s: Summary) => string;
}

const of = (key: string, form: (x: unknown) => string) => (s: Summary) => form(s.number(key));

export const facts: Fact[] = [
  { name: "Wall time", value: of("wall_s", seconds), hint: (s) => `processor time ${seconds(s.number("cpu_s"))}` },
  { name: "Macro steps", value: of("macro_steps", count), hint: (s) => `${count(s.number("rejected_steps"))} rejected` },
  { name: "Mean macro step", value: of("mean_H", (x) => num(x, 4)), hint: () => "mean H" },
  {
    name: "Micro steps",
    value: of("micro_steps_total", count),
    hint: (s) => ((s.number("parts") ?? 1) > 1 ? `${count(s.number("micro_steps_max"))} in the busiest subsystem` : ""),
  },
  { name: "Speed-up bound", value: of("speedup_bound", (x) => num(x, 3)), hint: () => "with enough cores" },
  {
    name: "Corrector iterations",
    value: of("corrector_iterations", count),
    hint: (s) => `${count(s.number("corrector_failures"))} failures`,
  },
  { name: "Overlap", value: of("layers", count), hint: () => "layers of copies at most" },
];

// Of a run that was not cut, or not iterated, some facts say nothing.
function tells(fact: Fact, s: Summary): boolean {
  if (fact.name === "Corrector iterations") return (s.number("corrector_iterations") ?? 0) > 0;
  if (fact.name === "Overlap") return (s.number("layers") ?? 0) > 0;
  const cut = (s.number("macro_steps") ?? 0) > 0;
  return cut || fact.name === "Wall time" || fact.name === "Micro steps";
}

function tiles(s: Summary): HTMLElement {
  const shown = facts.filter((f) => tells(f, s));
  return el(
    "dl",
    { class: "tiles" },
    ...shown.map((f) => el("div", {}, el("dt", {}, f.name), el("dd", {}, f.value(s)), el("dd", { class: "hint" }, f.hint?.(s) ?? ""))),
  );
}

/// When and by what command it was made.
function made(run: Run): HTMLElement | null {
  const s = summaryOf(run);
  const [command, started, version] = [s?.text("command"), s?.text("started"), s?.text("version")];
  if (!command && !started) return null;
  const words = [started ? `Run of ${started}` : "", version ? `with Cosimo ${version}` : ""].filter(Boolean).join(" ");
  return el("p", { class: "made" }, words, command ? ": " : "", command ? el("code", {}, command) : null);
}

export function origin(page: RunsPage): string {
  const started = page.runs.map((r) => summaryOf(r)?.text("started") ?? "").filter(Boolean);
  return `Cosimo ${page.version}${started.length === 1 ? `, run of ${started[0]}` : ""}.`;
}

const bullets = (title: string, items: string[], look: string): HTMLElement | null =>
  items.length ? el("div", { class: look }, el("h3", {}, title), el("ul", {}, ...items.map((i) => el("li", {}, i)))) : null;

function scenario(run: Run): HTMLElement {
  if (!run.scenario) return missing("The scenario of this run (scenario.effective.yaml) is not there.");
  return el(
    "details",
    {},
    el("summary", {}, "Scenario: every key with the value in effect"),
    el("pre", { tabindex: "0", "aria-label": "Scenario" }, run.scenario),
  );
}

/// Nothing is wrong: the page is smaller than the run.
function thinned(run: Run): HTMLElement | null {
  if (!run.notes.length) return null;
  return el("details", {}, el("summary", {}, "What this page leaves out, and how to see it"), el("ul", {}, ...run.notes.map((n) => el("li", {}, n))));
}

function ending(s: Summary): HTMLElement | null {
  if (s.status === "ok" || (!s.reason && !s.culprit)) return null;
  return el(
    "div",
    { class: s.status === "failed" ? "box bad" : "box warn" },
    el("p", {}, s.reason || "No reason was recorded."),
    s.culprit ? el("p", {}, "To blame: ", el("b", {}, s.culprit)) : null,
  );
}

export function overviewOf(run: Run): HTMLElement[] {
  const s = summaryOf(run);
  const remarks = bullets(run.remarks.length === 1 ? "Remark" : "Remarks", run.remarks, "box warn");
  const parts: (HTMLElement | null)[] = s
    ? [
        el("p", { class: "lead" }, statusPill(run), " ", el("b", {}, headline(s))),
        el("p", { class: "sentence" }, `${machine(s)}. Coupling: ${coupling(s)}.`),
        made(run),
        ending(s),
        remarks,
        tiles(s),
        bullets("Chosen by the program", s.choices, "box"),
        bullets("Advice", s.advice, "box"),
      ]
    : [el("p", { class: "lead" }, statusPill(run)), remarks, missing("There is no summary.json: how the run ended is not recorded.")];
  return [...parts.filter((p): p is HTMLElement => p !== null), thinned(run), scenario(run)].filter((p): p is HTMLElement => p !== null);
}

export const pageTitle = (page: RunsPage): string => page.runs.map((r) => r.name).join(" · ") || "No runs";
