// The chart in words, for those who do not see it: what it shows, over which range, and the extremes.
import { num, plural } from "../base/format";
import { range } from "../base/numbers";
import type { Line } from "./lines";

const spoken = 8;

function line(l: Line, x: string): string {
  const y = range(l.y);
  if (!y) return `${l.name}: no values.`;
  if (y.min === y.max) return `${l.name}: ${num(y.min)} throughout.`;
  return `${l.name}: smallest ${num(y.min)} at ${x} = ${num(l.x[y.at_min])}, largest ${num(y.max)} at ${x} = ${num(l.x[y.at_max])}.`;
}

export function describe(title: string, x: string, lines: Line[]): string {
  if (!lines.length) return `${title}: nothing chosen.`;
  let low = Infinity;
  let high = -Infinity;
  for (const l of lines) {
    const r = range(l.x);
    if (r) (low = Math.min(low, r.min)), (high = Math.max(high, r.max));
  }
  const over = low <= high ? ` over ${x} from ${num(low)} to ${num(high)}` : "";
  const more = lines.length > spoken ? ` And ${plural(lines.length - spoken, "more line")}.` : "";
  return `Chart of ${title}${over}. ${lines.slice(0, spoken).map((l) => line(l, x)).join(" ")}${more}`;
}
