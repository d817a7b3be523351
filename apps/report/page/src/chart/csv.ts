// The numbers of a chart: a column of x and one per line that is shown, with every value the page has.
import type { Drawing } from "./save";

const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const value = (x: number | null | undefined): string => (typeof x === "number" && Number.isFinite(x) ? String(x) : "");

export function csvOf({ options, rows, shown }: Pick<Drawing, "options" | "rows" | "shown">): string {
  const columns = options.lines.map((_, i) => i).filter((i) => shown[i]);
  const lines = [[options.x.label, ...columns.map((i) => options.lines[i].name)].map(cell).join(",")];
  rows[0].forEach((x, at) => {
    const values = columns.map((i) => value(rows[i + 1][at]));
    if (values.some((v) => v !== "")) lines.push([value(x), ...values].join(","));
  });
  return `${lines.join("\n")}\n`;
}
