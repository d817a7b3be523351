// A chart with everything around it: title, buttons, legend, gestures, a description in words.
//
//   const c = chart({ title: "Position", x: { label: "t" }, y: { label: "x" }, lines });
//   parent.append(c.element);  c.setLines(others);
import uPlot from "uplot";

import { el, replace } from "../base/dom";
import { num } from "../base/format";
import { onTheme } from "../base/theme";
import { describe } from "./describe";
import { attachGestures, key, onClick, type Stretching, zoom } from "./gestures";
import { type Legend, legend } from "./legend";
import { aligned, type Line, type Row } from "./lines";
import { plotOptions } from "./options";
import { type Drawing, saveMenu } from "./save";
import type { TimeWindow } from "./window";

export interface Axis {
  label: string;
  log?: boolean;
  decades?: number; // a logarithmic axis shows at most so many below its largest value
  air?: boolean; // x: some space before the first and after the last point
}

export interface ChartOptions {
  title: string;
  x: Axis;
  y: Axis;
  lines: Line[];
  height?: number;
  window?: TimeWindow; // shared with other charts
  level?: { y: number; label: string }; // a horizontal line
  overlay?: (u: uPlot) => void; // draws on top
  reach?: () => { min: number; max: number } | null; // values of the overlay, for the range of y
  empty?: string; // said when there are no lines
  link?: string; // what the description ends with
  named?: boolean; // the title names a line that is alone: it has no legend
  small?: boolean; // beside a picture: no buttons to zoom
}

export interface Chart {
  element: HTMLElement;
  setLines: (lines: Line[]) => void;
  redraw: () => void;
}

class ChartView implements Chart {
  readonly element: HTMLElement;
  private readonly plot: HTMLElement;
  private readonly below: HTMLElement;
  private readonly position: HTMLElement;
  private readonly spoken: HTMLElement;
  private readonly title = el("span", { class: "title" });
  private readonly hand = el("div", { class: "hand", hidden: true, "aria-hidden": "true" });
  private readonly hidden = new Set<string>();
  private readonly stretching: Stretching;
  private rows: Row[] = [[]];
  private legend: Legend | null = null;
  private u: uPlot | null = null;
  private width = 0;

  constructor(private readonly options: ChartOptions) {
    this.stretching = {
      full: () => this.full(),
      show: (min, max) => this.u?.setScale("x", { min, max }),
      reset: () => this.reset(),
    };
    this.plot = el("div", { class: "plot", role: "img", tabindex: "0", onkeydown: (e: KeyboardEvent) => this.key(e) });
    this.plot.style.height = `${this.height}px`;
    this.below = el("div", { class: "below" });
    this.position = el("output", { class: "position", "aria-live": "off" });
    this.spoken = el("p", { class: "hidden", "aria-live": "polite" });
    const head = el("figcaption", {}, this.title, this.position, this.buttons());
    this.element = el("figure", { class: "chart" }, head, this.plot, this.below, this.spoken);
    this.setLines(options.lines);
    new ResizeObserver(() => this.resize()).observe(this.plot);
    onTheme(() => this.redraw());
    options.window?.listen(() => this.follow());
    options.window?.onClock(() => this.tick());
  }

  private get height(): number {
    return this.options.height ?? 260;
  }

  private heading(): string {
    const { title, lines, named } = this.options;
    return named && lines.length === 1 ? `${title}: ${lines[0].name}` : title;
  }

  private full(): [number, number] {
    const x = this.rows[0];
    const [low, high] = [x[0] ?? 0, x[x.length - 1] ?? 1];
    if (!this.options.x.air || !(high > low)) return [low, high];
    const share = 0.03;
    if (!this.options.x.log) return [low - share * (high - low), high + share * (high - low)];
    const factor = (high / low) ** share;
    return [low / factor, high * factor];
  }

  private buttons(): HTMLElement {
    const button = (text: string, name: string, act: () => void) =>
      el("button", { type: "button", class: "small", "aria-label": `${name}: ${this.options.title}`, title: name, onclick: act }, text);
    const magnify = (factor: number) => this.u && zoom(this.u, this.stretching, factor);
    if (this.options.small) return el("span", { class: "tools" }, saveMenu(this.options.title, () => this.drawing()));
    return el(
      "span",
      { class: "tools" },
      button("+", "Zoom in", () => magnify(0.6)),
      button("−", "Zoom out", () => magnify(1 / 0.6)),
      button("All", "Show all", () => this.reset()),
      saveMenu(this.options.title, () => this.drawing()),
    );
  }

  setLines(lines: Line[]): void {
    this.options.lines = lines;
    replace(this.title, this.heading());
    this.rows = aligned(lines, this.options.x.log === true, this.options.y.log === true);
    this.legend = legend(lines, this.hidden, (i, show) => this.u?.setSeries(i + 1, { show }));
    const words = describe(`${this.options.title} (${this.options.y.label})`, this.options.x.label, lines);
    this.plot.setAttribute("aria-label", this.options.link ? `${words} ${this.options.link}` : words);
    replace(this.below, lines.length > 1 || lines[0]?.style === "points" ? this.legend.element : null);
    this.draw();
  }

  private draw(): void {
    this.u?.destroy();
    this.u = null;
    this.width = this.plot.clientWidth;
    if (!this.rows[0].length) {
      replace(this.plot, el("p", { class: "missing" }, this.options.empty ?? "Nothing to show."));
      return;
    }
    replace(this.plot);
    if (this.width < 50) return;
    const options = plotOptions(this.options, this.rows, this.hidden, {
      cursor: (u) => this.read(u),
      scale: (u) => this.scaled(u),
      drawn: () => this.tick(),
    });
    this.u = new uPlot({ ...options, width: this.width, height: this.height }, this.rows as uPlot.AlignedData, this.plot);
    attachGestures(this.u, this.stretching, () => this.plot.contains(document.activeElement));
    this.u.over.addEventListener("mousedown", () => this.plot.focus({ preventScroll: true }));
    this.u.over.append(this.hand);
    if (this.options.window) onClick(this.u.over, (left) => this.u && this.options.window?.seek(this.u.posToVal(left, "x")));
    if (this.options.x.air) this.reset();
    this.follow();
  }

  // The hand of the clock: an element of its own, so that nothing is drawn anew while the motion plays.
  private tick(): void {
    const now = this.options.window?.now ?? null;
    const at = this.u && now !== null ? this.u.valToPos(now, "x") : -1;
    this.hand.hidden = !this.u || at < 0 || at > this.u.over.clientWidth;
    if (!this.hand.hidden) this.hand.style.transform = `translateX(${at}px)`;
  }

  private resize(): void {
    const width = this.plot.clientWidth;
    if (width === this.width || width < 50) return;
    if (!this.u) return this.draw();
    this.width = width;
    this.u.setSize({ width, height: this.height });
  }

  redraw(): void {
    this.u?.redraw(false, true);
  }

  /// What there is to save; null: nothing is drawn.
  private drawing(): Drawing | null {
    if (!this.u) return null;
    const shown = this.options.lines.map((line) => !this.hidden.has(line.name));
    return { u: this.u, options: { ...this.options, title: this.heading() }, rows: this.rows, shown };
  }

  private reset(): void {
    const [min, max] = this.stretching.full();
    this.u?.setScale("x", { min, max });
  }

  private scaled(u: uPlot): void {
    const { min, max } = u.scales.x;
    const [low, high] = this.stretching.full();
    if (min === undefined || max === undefined || min === null || max === null) return;
    this.element.dataset.from = String(min);
    this.element.dataset.to = String(max);
    this.options.window?.set(min <= low && max >= high ? null : { min, max });
  }

  // The shared stretch, as far as this chart has data there.
  private follow(): void {
    const stretch = this.options.window?.stretch;
    if (!this.u || stretch === undefined) return;
    const [low, high] = this.stretching.full();
    const { min, max } = stretch ?? { min: low, max: high };
    if (this.u.scales.x.min !== min || this.u.scales.x.max !== max) this.u.setScale("x", { min, max });
  }

  private read(u: uPlot): void {
    const at = u.cursor.idx;
    const left = u.cursor.left ?? -1;
    if (left < 0 || at === null || at === undefined) {
      this.legend?.read(null);
      this.position.textContent = "";
      return;
    }
    const indices = u.cursor.idxs ?? [];
    const values = this.options.lines.map((_, i) => this.rows[i + 1][indices[i + 1] ?? at]);
    this.legend?.read(values);
    const single = this.options.lines.length === 1 ? `, ${num(values[0])}` : "";
    this.position.textContent = `${this.options.x.label} = ${num(u.posToVal(left, "x"))}${single}`;
  }

  private key(event: KeyboardEvent): void {
    if (!this.u || event.target !== this.plot || !key(this.u, this.stretching, event)) return;
    event.preventDefault();
    this.spoken.textContent = `${this.position.textContent} ${this.below.textContent}`;
  }
}

export const chart = (options: ChartOptions): Chart => new ChartView(options);
