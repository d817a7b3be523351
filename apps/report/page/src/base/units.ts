// What the numbers on the page are measured in, as summary.json says; nothing where the scenario says nothing.
type Units = Record<string, unknown>;

let known: Units = {};

/// Runs side by side have units only where they agree.
export function startUnits(summaries: (Record<string, unknown> | null)[]): void {
  const all = summaries.map((s) => JSON.stringify(s?.units ?? null));
  const first = summaries[0]?.units;
  known = first && typeof first === "object" && all.every((text) => text === all[0]) ? (first as Units) : {};
}

/// "t in s", "position in mm, rad".
export function withUnits(label: string, quantities: Iterable<string>): string {
  const units = [...new Set([...quantities].map((q) => known[q]).filter((u) => typeof u === "string" && u))];
  return units.length ? `${label} in ${units.join(", ")}` : label;
}

/// Of an axis: most x axes are the time.
export const axisLabel = (label: string, isX: boolean): string => (isX && label === "t" ? withUnits(label, ["time"]) : label);

/// What a column of positions, or of their rates, measures; parts of quaternions measure nothing.
export function quantityOf(coordinate: string, rate: boolean): string {
  if (["x", "y", "z", ""].includes(coordinate)) return rate ? "velocity" : "length";
  if (["phi", "angle"].includes(coordinate)) return rate ? "angular_velocity" : "angle";
  return "";
}

/// The same of a column of a table.
export function quantityIn(table: string, column: string): string {
  if (table === "energy" || table === "angular_velocity") return table;
  if (table !== "reactions" && table !== "elements") return "";
  const last = column.slice(column.lastIndexOf(".") + 1);
  return last.startsWith("F") ? "force" : last.startsWith("T") ? "torque" : "";
}
