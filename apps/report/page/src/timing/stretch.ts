// A stretch of macro steps as bars: one lane per subsystem, its solve time in every step, the slowest dark, a
// line where the next step begins. As if every subsystem had a core of its own: all wait for the slowest.
import { type Sheet, sheet } from "../base/canvas";
import { num, seconds } from "../base/format";
import { sum, values } from "../base/numbers";
import { ticks } from "../base/scale";
import { color, css } from "../base/theme";
import type { Timing } from "../data";

export interface Stretch extends Sheet {
  show: (row: number, rows: number) => void;
}

const lanesAtMost = 96; // as many groups as a page has

export function stretch(t: Timing): Stretch {
  const groups = t.first.length;
  const lanes = Math.min(groups, lanesAtMost);
  const solve = values(t.solve);
  const start = values(t.t);
  let chosen = { row: 0, rows: 1 };
  const longest = (row: number) => {
    let most = 0;
    for (let g = 0; g < groups; ++g) most = Math.max(most, solve[row * groups + g]);
    return most;
  };
  const paint = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    const { row: first, rows } = chosen;
    const [left, top, right] = [46, 4, 12];
    const tall = height - 44;
    const lane = tall / lanes;
    const spans = Array.from({ length: rows }, (_, k) => longest(first + k));
    const total = sum(spans) || 1;
    const px = (x: number) => left + (x / total) * (width - left - right);
    let at = 0;
    spans.forEach((span, k) => {
      const row = first + k;
      for (let g = 0; g < lanes; ++g) {
        const slow = t.slowest[row] >= t.first[g] && t.slowest[row] <= t.last[g];
        pen.fillStyle = slow ? color(1) : color(5);
        pen.fillRect(px(at), top + g * lane + 0.1 * lane, px(at + solve[row * groups + g]) - px(at), 0.8 * lane);
      }
      at += span;
      pen.strokeStyle = css("--text");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(px(at), top);
      pen.lineTo(px(at), top + tall);
      pen.stroke();
    });
    pen.fillStyle = css("--axis");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const every = Math.max(1, Math.ceil(14 / lane));
    for (let g = 0; g < lanes; g += every) pen.fillText(String(t.first[g]), left - 6, top + (g + 0.5) * lane);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const x of ticks(0, total, width - left - right, 110)) pen.fillText(seconds(x), Math.min(Math.max(px(x), 24), width - 30), top + tall + 6);
    pen.fillText("wall time of the stretch", left + (width - left - right) / 2, top + tall + 24);
  };
  const canvas = sheet("", () => Math.min(Math.max(lanes * 20, 90), 420) + 44, paint);
  const show = (row: number, rows: number) => {
    chosen = { row, rows };
    let work = 0;
    for (let i = row * groups; i < (row + rows) * groups; ++i) work += solve[i];
    const spans = sum(Array.from({ length: rows }, (_, k) => longest(row + k)));
    // The longest of sums is no more than the sum of the longest.
    const merged = t.count.slice(row, row + rows).some((n) => n > 1);
    const slow = new Map<number, number>();
    for (let k = 0; k < rows; ++k) slow.set(t.slowest[row + k], (slow.get(t.slowest[row + k]) ?? 0) + 1);
    const often = [...slow].sort((a, b) => b[1] - a[1])[0];
    canvas.element.setAttribute(
      "aria-label",
      `Bars of ${rows} rows of macro steps from t = ${num(start[row])}: ${merged ? "at least " : ""}${seconds(spans)} with a core for every subsystem, of which ` +
        `${num(work / (spans * groups || 1) * 100, 3)} percent are solved in. Slowest most often: subsystem ${often?.[0]}, in ${often?.[1]} of ${rows}.`,
    );
    canvas.redraw();
  };
  return { ...canvas, show };
}
