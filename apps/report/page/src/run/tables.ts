// Named quantities: energies, reactions, element forces, constraint residuals.
import { el, missing, note } from "../base/dom";
import { course } from "../base/numbers";
import { picker } from "../base/picker";
import { chart } from "../chart/chart";
import type { Line } from "../chart/lines";
import type { TimeWindow } from "../chart/window";
import type { Run } from "../data";
import { dashOf } from "./compare";

const allAtOnce = 6; // columns; of more, the first few

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

function one(runs: Run[], table: string, window: TimeWindow): HTMLElement {
  const columns = [...new Set(runs.flatMap((r) => r.tables.find((t) => t.name === table)?.columns.map((c) => c.name) ?? []))];
  const chosen = new Set(columns.slice(0, columns.length > allAtOnce ? 3 : allAtOnce).map((_, i) => i));
  const title = table.replace(/_/g, " ");
  const picture = chart({ title, x: { label: "t" }, y: { label: title }, lines: linesOf(runs, table, columns, chosen), window, empty: "Choose a column." });
  const choose = picker(
    `Columns of ${title}`,
    columns.map((name, id) => ({ id, label: name, search: "" })),
    chosen,
    () => picture.setLines(linesOf(runs, table, columns, chosen)),
  );
  return el("div", {}, columns.length > allAtOnce ? el("div", { class: "controls" }, choose) : null, picture.element);
}

export function namedTables(runs: Run[], window: TimeWindow): Node[] {
  const names = [...new Set(runs.flatMap((r) => r.tables.filter((t) => t.columns.length).map((t) => t.name)))];
  if (!names.length) return [missing("No energies, reactions or other quantities are recorded.")];
  return [el("div", { class: "grid two" }, ...names.map((n) => one(runs, n, window))), note("Recorded at the output times.")];
}
