// Solve time or micro steps of every subsystem in every recorded row of macro steps, as colours; the slowest is
// marked.
import { type Frame, sheet } from "../base/canvas";
import { growing } from "../base/colormap";
import { num, seconds } from "../base/format";
import { range, values } from "../base/numbers";
import { css, theme } from "../base/theme";
import type { Timing } from "../data";

export interface Heatmap {
  element: HTMLElement;
  choose: (row: number, rows: number) => void; // the stretch that the bars show
  colour: (quantity: Quantity) => void;
}

export type Quantity = "solve" | "micro";

function groupOf(t: Timing, subsystem: number): number {
  return t.first.findIndex((first, g) => subsystem >= first && subsystem <= t.last[g]);
}

// Marks would hide the colours where a column is narrower than a pixel or two.
function image(t: Timing, rows: number, quantity: Quantity, marked: boolean): HTMLCanvasElement {
  const groups = t.first.length;
  const amount = values(t[quantity]);
  const canvas = document.createElement("canvas");
  canvas.width = rows;
  canvas.height = groups;
  const pen = canvas.getContext("2d")!;
  const pixels = pen.createImageData(rows, groups);
  const dark = theme() === "dark";
  const perStep = new Float64Array(rows * groups);
  for (let r = 0; r < rows; ++r) for (let g = 0; g < groups; ++g) perStep[r * groups + g] = amount[r * groups + g] / Math.max(t.count[r] ?? 1, 1);
  const sorted = Float64Array.from(perStep).sort();
  const most = sorted[Math.floor(0.995 * (sorted.length - 1))] || 1; // a single hiccup would darken all others
  for (let r = 0; r < rows; ++r) {
    for (let g = 0; g < groups; ++g) pixels.data.set(growing(perStep[r * groups + g] / most, dark), 4 * (g * rows + r));
    const slow = marked && quantity === "solve" ? groupOf(t, t.slowest[r]) : -1;
    if (slow >= 0) pixels.data.set([213, 94, 0, 255], 4 * (slow * rows + r));
  }
  pen.putImageData(pixels, 0, 0);
  return canvas;
}

export function heatmap(t: Timing, rows: number, pick: (row: number) => void): Heatmap {
  const groups = t.first.length;
  const start = values(t.t);
  let chosen = { row: 0, rows: 1 };
  let quantity: Quantity = "solve";
  let drawn: { key: string; image: HTMLCanvasElement } | null = null;
  let frame: Frame = { left: 0, top: 0, width: 1, height: 1 };
  const paint = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    frame = { left: 46, top: 4, width: width - 58, height: height - 44 };
    const marked = frame.width / rows >= 1.5;
    const key = `${theme()} ${quantity} ${marked}`;
    if (drawn?.key !== key) drawn = { key, image: image(t, rows, quantity, marked) };
    pen.imageSmoothingEnabled = false;
    pen.drawImage(drawn.image, frame.left, frame.top, frame.width, frame.height);
    pen.fillStyle = css("--axis");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const every = Math.max(1, Math.ceil((groups * 16) / frame.height));
    for (let g = 0; g < groups; g += every) pen.fillText(String(t.first[g]), frame.left - 6, frame.top + ((g + 0.5) * frame.height) / groups);
    pen.textBaseline = "top";
    const marks = frame.width > 500 ? 4 : 2;
    for (let k = 0; k <= marks; ++k) {
      const row = Math.min(Math.round((k / marks) * (rows - 1)), rows - 1);
      pen.textAlign = k === 0 ? "left" : k === marks ? "right" : "center";
      pen.fillText(`t = ${num(start[row], 4)}`, frame.left + (k / marks) * frame.width, frame.top + frame.height + 6);
    }
    pen.strokeStyle = css("--text");
    pen.lineWidth = 1.5;
    pen.strokeRect(frame.left + (chosen.row / rows) * frame.width, frame.top, Math.max((chosen.rows / rows) * frame.width, 2), frame.height);
  };
  const most = range(values(t.solve));
  const words = `Solve time of ${groups} subsystems or groups in ${rows} rows of macro steps, at most ${seconds(most?.max)} in one row. Arrows move the stretch below.`;
  const canvas = sheet(words, () => Math.min(Math.max(groups * 18, 90), 360) + 44, paint);
  const pickAt = (event: PointerEvent) => pick(Math.floor(((event.offsetX - frame.left) / frame.width) * rows));
  canvas.element.addEventListener("pointerdown", pickAt);
  canvas.element.addEventListener("pointermove", (event) => void (event.buttons && pickAt(event)));
  canvas.element.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    pick(chosen.row + step * (event.shiftKey ? chosen.rows : 1));
  });
  const choose = (row: number, count: number) => {
    chosen = { row, rows: count };
    canvas.redraw();
  };
  const colour = (chosenQuantity: Quantity) => {
    quantity = chosenQuantity;
    canvas.redraw();
  };
  return { element: canvas.element, choose, colour };
}
