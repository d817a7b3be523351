// Named quantities: energies, reactions, element forces, constraint residuals.
import { el, missing, note } from "../base/dom";
import { course } from "../base/numbers";
import { picker } from "../base/picker";
import { quantityIn, withUnits } from "../base/units";
import { chart } from "../chart/chart";
import type { Line } from "../chart/lines";
import type { TimeWindow } from "../chart/window";
import type { Run } from "../data";
import { dashOf } from "./compare";
import { liveliest } from "./interest";

const allAtOnce = 6; // columns; of more, a few

function linesOf(runs: Run[], table: string, columns: string[], chosen: Set<number>): Line[] {
  return columns.flatMap((name, i) => {
    if (!chosen.has(i)) return [];
    return runs.flatMap((run, r) => {
      const column = run.tables.find((t) => t.name === table)?.columns.find((c) => c.name === name);
      if (!column) return [];
      const { t, y } = course(column.series);
      return [{ name: runs.length > 1 ? `${name}, ${run.name}` : name, color: i, dash: dashOf(r), x: t, y }];
    });
  });
}

/// All of few; of many those with most in them.
function firstColumns(runs: Run[], table: string, columns: string[]): Set<number> {
  if (columns.length <= allAtOnce) return new Set(columns.keys());
  const recorded = columns.map((name) => runs.map((r) => r.tables.find((t) => t.name === table)?.columns.find((c) => c.name === name)).find(Boolean));
  const lively = liveliest(recorded.map((column) => course(column?.series)), 3);
  return new Set(lively.length ? lively : [0, 1, 2]);
}

function one(runs: Run[], table: string, window: TimeWindow): HTMLElement {
  const columns = [...new Set(runs.flatMap((r) => r.tables.find((t) => t.name === table)?.columns.map((c) => c.name) ?? []))];
  const chosen = firstColumns(runs, table, columns);
  const title = table.replace(/_/g, " ");
  const picture = chart({ title, x: { label: "t" }, y: { label: withUnits(title, columns.map((name) => quantityIn(table, name))) }, lines: linesOf(runs, table, columns, chosen), window, named: true, empty: "Choose a column." });
  const choose = picker(
    `Columns of ${title}`,
    columns.map((name, id) => ({ id, label: name, search: "" })),
    chosen,
    () => picture.setLines(linesOf(runs, table, columns, chosen)),
  );
  return el("div", {}, columns.length > allAtOnce ? el("div", { class: "controls" }, choose) : null, picture.element);
}

export function namedTables(runs: Run[], window: TimeWindow, wanted: (name: string) => boolean): Node[] {
  const names = [...new Set(runs.flatMap((r) => r.tables.filter((t) => t.columns.length && wanted(t.name)).map((t) => t.name)))];
  if (!names.length) return [missing("No energies, reactions or other quantities are recorded.")];
  return [el("div", { class: "grid two" }, ...names.map((n) => one(runs, n, window))), note("Recorded at the output times.")];
}
