// The page of one study: verdicts first, then figures and tables, then what was run.
import { el, missing, note, tableHead } from "../base/dom";
import { num } from "../base/format";
import { frame } from "../base/frame";
import type { Section } from "../base/sections";
import { chart } from "../chart/chart";
import type { Line } from "../chart/lines";
import type { Figure, StudyPage, Table } from "../data";
import { counts, verdictTable } from "./verdicts";

// Beyond the colours of the palette lines differ by dash, too.
const dashOf = (i: number): number[] | undefined => [undefined, [7, 4], [2, 3]][Math.floor(i / 8) % 3];

function linesOf(f: Figure): Line[] {
  return f.series.map((s, i) => {
    // Curves may run back and forth in x; a chart reads from left to right.
    const order = s.x.map((_, k) => k).sort((a, b) => s.x[a] - s.x[b]);
    return { name: s.name, color: i, dash: dashOf(i), style: s.style, x: order.map((k) => s.x[k]), y: order.map((k) => s.y[k]) };
  });
}

const clock = (timed: boolean): string => (timed ? " Measured with a clock: another run gives other numbers." : "");

function figure(f: Figure): HTMLElement {
  const picture = chart({ title: f.title, x: { ...f.x, air: true }, y: f.y, lines: linesOf(f), height: 320, empty: "No data." });
  return el(
    "div",
    { class: "figure" },
    picture.element,
    note(`${[f.where, f.note].filter(Boolean).join(". ")}${clock(f.timed)}`),
    el("p", { class: "note" }, el("a", { href: `data/${f.id}.csv` }, `data/${f.id}.csv`)),
  );
}

function table(t: Table): HTMLElement {
  const cell = (x: string | number) => el("td", { class: typeof x === "number" ? "number" : null }, typeof x === "number" ? num(x) : x);
  return el(
    "div",
    { class: "figure" },
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        { class: "plain" },
        el("caption", {}, t.title),
        tableHead(t.columns, (i) => t.rows.every((r) => typeof r[i] === "number")),
        el("tbody", {}, ...t.rows.map((r) => el("tr", {}, ...r.map(cell)))),
      ),
    ),
    note(`${t.note}${clock(t.timed)}`),
  );
}

export function studyPage(place: Element, page: StudyPage): void {
  const list: Section[] = [
    {
      id: "verdicts",
      title: "Verdict",
      about: "",
      height: 300,
      build: () => [
        ...(page.failed ? [el("p", { class: "bad-text" }, `The study ended early, without its verdicts: ${page.failed}`)] : []),
        ...(page.statements.length ? [counts(page.statements), verdictTable(page.statements)] : page.failed ? [] : [missing("This study compares with no published statement.")]),
      ],
    },
  ];
  if (page.figures.length) {
    list.push({ id: "figures", title: "Figures", about: "", height: 900, build: () => [el("div", { class: "grid two" }, ...page.figures.map(figure))] });
  }
  if (page.tables.length) list.push({ id: "tables", title: "Tables", about: "", height: 400, build: () => page.tables.map(table) });
  list.push({
    id: "about",
    title: "About this study",
    about: "",
    height: 200,
    build: () => [
      ...page.about.map((p) => el("p", {}, p)),
      el("h3", {}, "What was run"),
      el("ul", {}, ...page.settings.map((s) => el("li", {}, s)), el("li", {}, `scale ${num(page.scale)}, seed ${page.seed}`)),
      el("p", { class: "note" }, `Source: ${page.source}`),
    ],
  });
  frame(place, { kind: `Study ${page.name}`, title: page.title, foot: `Cosimo ${page.version}. Every figure and table is also a file in data/.` }, list);
}
