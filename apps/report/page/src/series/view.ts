// What the pictures of a series have in common: a canvas that knows which variant is under the pointer, the
// sentence about it, and colours by a column.
import { sheet } from "../base/canvas";
import { growing, rgb } from "../base/colormap";
import { el, replace, select } from "../base/dom";
import { share } from "../base/scale";
import { color, css, theme } from "../base/theme";
import { type Column, label, scaleOf, type Variants } from "./variants";

/// Draws; returns how to find the variant nearest to a place, -1 for none.
export type Picture = (pen: CanvasRenderingContext2D, width: number, height: number) => (x: number, y: number) => number;

export interface View {
  element: HTMLElement;
  redraw: () => void;
}

/// The pointer looks at a variant, a click keeps it, arrow keys go through them.
export function view(name: string, variants: Variants, height: (width: number) => number, picture: Picture): View {
  let find: (x: number, y: number) => number = () => -1;
  let pinned = false;
  const canvas = sheet(name, height, (pen, width, tall) => {
    find = picture(pen, width, tall);
  });
  const at = (event: PointerEvent): number => {
    const box = canvas.element.getBoundingClientRect();
    return find(event.clientX - box.left, event.clientY - box.top);
  };
  canvas.element.addEventListener("pointermove", (event) => {
    if (!pinned) variants.choose(at(event));
  });
  canvas.element.addEventListener("pointerleave", () => {
    if (!pinned) variants.choose(-1);
  });
  canvas.element.addEventListener("click", (event) => {
    const found = at(event as PointerEvent);
    pinned = found >= 0;
    variants.choose(found);
  });
  canvas.element.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step || !variants.count) return;
    event.preventDefault();
    pinned = true;
    for (let i = variants.chosen + step; i >= 0 && i < variants.count; i += step) if (variants.kept(i)) return variants.choose(i);
  });
  variants.listen(canvas.redraw);
  return { element: el("div", { class: "motion" }, canvas.element), redraw: canvas.redraw };
}

/// About the variant that is looked at, with a link to its run.
export function about(variants: Variants): HTMLElement {
  const line = el("p", { class: "note about-variant", "aria-live": "polite" });
  const fill = () => {
    const i = variants.chosen;
    const page = variants.pages.get(i);
    if (i < 0) return replace(line, "Point at a variant, or choose one with the arrow keys.");
    replace(line, variants.words(i), page ? " " : null, page ? el("a", { href: page }, "its run") : null);
  };
  fill();
  variants.listen(fill);
  return line;
}

/// The colours of variants, by a column or all the same.
export class Colours {
  private readonly scale;
  constructor(private readonly column: Column | null) {
    this.scale = column ? scaleOf(column) : null;
  }
  of(variant: number): string {
    if (!this.column || !this.scale) return color(0);
    const value = this.column.values[variant];
    if (!Number.isFinite(value)) return css("--soft");
    if (this.column.words) return color(value);
    return rgb(growing(0.25 + 0.75 * share(this.scale, value), theme() === "dark"));
  }
  /// "colour: k from 1 (light) to 4 (dark)".
  get words(): string {
    if (!this.column || !this.scale) return "";
    const { column, scale } = this;
    if (column.words) return `Colour: ${column.name}.`;
    const [weak, strong] = theme() === "dark" ? ["dark", "light"] : ["light", "dark"];
    return `Colour: ${column.name} from ${label(column, scale.low)} (${weak}) to ${label(column, scale.high)} (${strong}).`;
  }
}

/// A choice of a column by its name.
export function columnChoice(title: string, columns: Column[], none: string | null, at: Column | null, change: (c: Column | null) => void): HTMLElement {
  const choices = columns.map((c, i) => ({ value: String(i), label: c.name }));
  if (none !== null) choices.unshift({ value: "-1", label: none });
  return select(title, choices, String(at ? columns.indexOf(at) : -1), (value) => change(columns[Number(value)] ?? null));
}
