// Parallel coordinates: an axis for every quantity, a line for every variant. Dragging along an axis brushes it:
// the other views show what is within all brushes.
import { el, missing, note, replace } from "../base/dom";
import { count } from "../base/format";
import { markText, marks, share } from "../base/scale";
import { css } from "../base/theme";
import { passes } from "./order";
import { airy, type Column, label, scaleOf, type Variants } from "./variants";
import { about, Colours, columnChoice, view } from "./view";

const top = 44;
const bottom = 18;
const near = 14; // pixels
const mostAxes = 16;

type Brush = [number, number]; // shares of the axis

export function parallel(v: Variants): Node[] {
  const all = v.varying.filter((c) => c.kind !== "cost");
  const columns = all.slice(0, mostAxes);
  if (columns.length < 2) return [missing("There are no two quantities that differ between variants.")];
  const scales = columns.map((c) => airy(scaleOf(c)));
  const brushes = new Map<number, Brush>();
  let by: Column | null = columns.find((c) => c.kind === "measure") ?? columns[0];
  let size = { width: 0, height: 0 };
  const words = el("div");
  const clear = el("button", { type: "button", hidden: true, onclick: () => (brushes.clear(), brushed()) }, "Remove the brushes");

  const axisAt = (k: number): number => 60 + (k * (size.width - 130)) / (columns.length - 1);
  const height = (part: number): number => size.height - bottom - part * (size.height - top - bottom);
  const line = (i: number): ([number, number] | null)[] =>
    columns.map((c, k) => (Number.isFinite(c.values[i]) ? [axisAt(k), height(share(scales[k], c.values[i]))] : null));

  const brushed = () => {
    const within = (i: number) => [...brushes].every(([k, [low, high]]) => {
      const at = share(scales[k], columns[k].values[i]);
      return at >= low && at <= high;
    });
    clear.toggleAttribute("hidden", !brushes.size);
    v.keep(Array.from({ length: v.count }, (_, i) => within(i)));
    tell();
  };
  const tell = () => {
    const ranges = [...brushes].map(([k, [low, high]]) => `${columns[k].name} ${valueAt(k, low)} to ${valueAt(k, high)}`);
    const more = all.length > columns.length ? ` Not shown: ${all.slice(mostAxes).map((c) => c.name).join(", ")}.` : "";
    const within = brushes.size ? ` ${count(v.keptCount)} of ${count(v.count)} variants are within ${ranges.join(", ")}.` : " Drag along an axis to keep only what is there.";
    replace(words, note(`${new Colours(by).words}${within}${more}`));
    picture.redraw();
  };
  const valueAt = (k: number, part: number): string => {
    const s = scales[k];
    const value = s.log ? s.low * (s.high / s.low) ** part : s.low + part * (s.high - s.low);
    return label(columns[k], columns[k].words ? Math.min(Math.max(Math.round(value), 0), columns[k].words!.length - 1) : value);
  };

  const drawAxes = (pen: CanvasRenderingContext2D) => {
    columns.forEach((c, k) => {
      const x = axisAt(k);
      pen.strokeStyle = css("--axis");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(x, height(0));
      pen.lineTo(x, height(1));
      pen.stroke();
      pen.fillStyle = css("--text");
      pen.font = "600 12px system-ui, sans-serif";
      pen.textAlign = k === 0 ? "left" : k === columns.length - 1 ? "right" : "center";
      pen.textBaseline = "bottom";
      // Long names of neighbours take turns in height, and stay within the picture.
      const beside = k === 0 ? -50 : k === columns.length - 1 ? 60 : 0;
      pen.fillText(c.name, x + beside, k % 2 ? 18 : 36, 1.8 * (axisAt(1) - axisAt(0)));
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = css("--axis");
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      // Lines pass behind the numbers.
      pen.strokeStyle = css("--card");
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      for (const value of marks(scales[k], height(0) - height(1), 60)) {
        pen.strokeText(markText(scales[k], value), x + 4, height(share(scales[k], value)));
        pen.fillText(markText(scales[k], value), x + 4, height(share(scales[k], value)));
      }
      const brush = brushes.get(k);
      if (!brush) return;
      pen.fillStyle = css("--accent");
      pen.globalAlpha = 0.3;
      pen.fillRect(x - 7, height(brush[1]), 14, height(brush[0]) - height(brush[1]));
      pen.globalAlpha = 1;
    });
  };
  const picture = view("Parallel coordinates", v, (width) => Math.min(460, Math.max(300, width * 0.42)), (pen, width, tall) => {
    size = { width, height: tall };
    const colours = new Colours(by);
    const stroke = (i: number, style: string, thick: number) => {
      pen.strokeStyle = style;
      pen.lineWidth = thick;
      pen.beginPath();
      let open = false;
      for (const p of line(i)) {
        if (!p) open = false;
        else if (open) pen.lineTo(...p);
        else pen.moveTo(...p), (open = true);
      }
      pen.stroke();
    };
    for (let i = 0; i < v.count; ++i) if (!v.kept(i)) stroke(i, css("--grid"), 1);
    pen.globalAlpha = v.keptCount > 300 ? 0.5 : 0.85;
    for (let i = 0; i < v.count; ++i) if (v.kept(i)) stroke(i, v.failed(i) ? css("--bad") : colours.of(i), 1.2);
    pen.globalAlpha = 1;
    if (v.chosen >= 0) stroke(v.chosen, css("--bad"), 3);
    drawAxes(pen);
    return (x, y) => {
      let best = -1;
      let least = near;
      for (let i = 0; i < v.count; ++i) {
        const at = v.kept(i) ? passes(line(i), x) : null;
        if (at !== null && Math.abs(at - y) < least) (least = Math.abs(at - y)), (best = i);
      }
      return best;
    };
  });
  const canvas = picture.element.querySelector("canvas")!;
  canvas.setAttribute("aria-label", `Parallel coordinates of ${columns.map((c) => c.name).join(", ")}. The numbers are in the table.`);
  brushing(canvas, () => columns.map((_, k) => axisAt(k)), (y) => (size.height - bottom - y) / (size.height - top - bottom), (k, brush) => {
    if (brush) brushes.set(k, brush);
    else brushes.delete(k);
    brushed();
  });
  tell();
  const controls = el("div", { class: "controls" }, columnChoice("Colour", columns, "all the same", by, (c) => ((by = c), tell())), clear);
  return [controls, picture.element, about(v), words];
}

/// A drag that begins near an axis makes a brush, a click there removes it.
function brushing(canvas: HTMLCanvasElement, axes: () => number[], part: (y: number) => number, change: (k: number, brush: Brush | null) => void): void {
  let at = -1;
  let from = 0;
  const limited = (y: number) => Math.min(Math.max(part(y), 0), 1);
  const place = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [x, y] = place(event);
    at = axes().findIndex((a) => Math.abs(a - x) < near);
    if (at < 0) return;
    from = limited(y);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (at < 0) return;
    const to = limited(place(event)[1]);
    if (Math.abs(to - from) > 0.01) change(at, [Math.min(from, to), Math.max(from, to)]);
  });
  const end = (event: PointerEvent) => {
    if (at < 0) return;
    const to = limited(place(event)[1]);
    if (Math.abs(to - from) <= 0.01) change(at, null);
    at = -1;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", () => (at = -1));
}
