// A chain in motion: displacement over body number, coloured by subsystem. Where neighbours are drawn together
// the band from the smallest to the largest displacement is filled. Behind it, what the whole run reaches.
import { axes, frameOf, sheet } from "../base/canvas";
import { el, note } from "../base/dom";
import { count, num, plural } from "../base/format";
import { nearest, range, type Values, values } from "../base/numbers";
import { css, partColor } from "../base/theme";
import type { TimeWindow } from "../chart/window";
import type { Motion } from "../data";
import { player } from "./player";
import { waterfall } from "./waterfall";

type Chain = Extract<Motion, { kind: "chain" }>;

interface Reach {
  low: Float64Array; // of each group, over all frames
  high: Float64Array;
  min: number;
  max: number;
}

function reachOf(low: Values, high: Values, frames: number, groups: number): Reach {
  const all: Reach = { low: new Float64Array(groups).fill(Infinity), high: new Float64Array(groups).fill(-Infinity), min: 0, max: 0 };
  for (let f = 0; f < frames; ++f) {
    for (let g = 0; g < groups; ++g) {
      all.low[g] = Math.min(all.low[g], low[f * groups + g]);
      all.high[g] = Math.max(all.high[g], high[f * groups + g]);
    }
  }
  all.min = range(all.low)?.min ?? 0;
  all.max = range(all.high)?.max ?? 1;
  if (all.min === all.max) (all.min -= 1), (all.max += 1);
  return all;
}

class ChainPicture {
  readonly low: Values;
  readonly high: Values;
  readonly groups: number;
  readonly reach: Reach;
  private readonly first: number;
  private readonly last: number;

  constructor(
    private readonly motion: Chain,
    readonly frames: number,
  ) {
    this.low = values(motion.low);
    this.high = values(motion.high);
    this.groups = motion.first.length;
    this.reach = reachOf(this.low, this.high, frames, this.groups);
    this.first = motion.first[0] ?? 1;
    this.last = Math.max(motion.last[this.groups - 1] ?? 1, this.first + 1);
  }

  paint(pen: CanvasRenderingContext2D, width: number, height: number, frame: number): void {
    const f = frameOf(width, height);
    const { min, max } = this.reach;
    const air = 0.05 * (max - min);
    const y = { low: min - air, high: max + air, label: "displacement" };
    axes(pen, f, { low: this.first, high: this.last, label: "body", integers: true }, y);
    const px = (body: number) => f.left + ((body - this.first) / (this.last - this.first)) * f.width;
    const py = (value: number) => f.top + f.height - ((value - y.low) / (y.high - y.low)) * f.height;
    this.shadow(pen, px, py);
    if (this.groups <= 150 && this.single()) this.dots(pen, px, py, frame);
    else this.bands(pen, px, py, frame);
  }

  /// The frame in which most of the chain is displaced.
  liveliest(): number {
    let best = { frame: 0, sum: 0 };
    for (let f = 0; f < this.frames; ++f) {
      let sum = 0;
      for (let g = 0; g < this.groups; ++g) sum += Math.max(Math.abs(this.low[f * this.groups + g]), Math.abs(this.high[f * this.groups + g]));
      if (sum > best.sum) best = { frame: f, sum };
    }
    return best.frame;
  }

  /// What is under this place of the picture, in words.
  tell(x: number, width: number, frame: number): string {
    const f = frameOf(width, 0);
    const body = this.first + ((x - f.left) / f.width) * (this.last - this.first);
    const g = this.motion.last.findIndex((last) => body <= last + 0.5);
    if (g < 0 || x < f.left) return "";
    const [first, last, part] = [this.motion.first[g], this.motion.last[g], this.motion.part[g]];
    const [low, high] = [this.low[frame * this.groups + g], this.high[frame * this.groups + g]];
    const who = first === last ? `body ${count(first)}` : `bodies ${count(first)} to ${count(last)}`;
    const where = low === high ? num(low) : `${num(low)} to ${num(high)}`;
    return `${who}${part > 0 ? `, subsystem ${part}` : ""}: ${where}`;
  }

  private single(): boolean {
    return this.motion.first.every((first, g) => first === this.motion.last[g]);
  }

  private middle(g: number): number {
    return (this.motion.first[g] + this.motion.last[g]) / 2;
  }

  private shadow(pen: CanvasRenderingContext2D, px: (b: number) => number, py: (v: number) => number): void {
    pen.fillStyle = css("--shade");
    pen.beginPath();
    for (let g = 0; g < this.groups; ++g) pen.lineTo(px(this.middle(g)), py(this.reach.high[g]));
    for (let g = this.groups - 1; g >= 0; --g) pen.lineTo(px(this.middle(g)), py(this.reach.low[g]));
    pen.fill();
  }

  private dots(pen: CanvasRenderingContext2D, px: (b: number) => number, py: (v: number) => number, frame: number): void {
    const at = (g: number) => this.low[frame * this.groups + g];
    pen.strokeStyle = css("--soft");
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let g = 0; g < this.groups; ++g) pen.lineTo(px(this.middle(g)), py(at(g)));
    pen.stroke();
    for (let g = 0; g < this.groups; ++g) {
      pen.fillStyle = partColor(this.motion.part[g]);
      pen.beginPath();
      pen.arc(px(this.middle(g)), py(at(g)), this.groups > 60 ? 3.5 : 5, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  // One polygon per subsystem, with the line through the middle of the band so that thin bands are seen.
  private bands(pen: CanvasRenderingContext2D, px: (b: number) => number, py: (v: number) => number, frame: number): void {
    const row = frame * this.groups;
    for (let begin = 0; begin < this.groups; ) {
      let end = begin;
      while (end < this.groups && this.motion.part[end] === this.motion.part[begin]) ++end;
      pen.fillStyle = pen.strokeStyle = partColor(this.motion.part[begin]);
      const last = Math.min(end, this.groups - 1);
      pen.beginPath();
      for (let g = begin; g <= last; ++g) pen.lineTo(px(this.middle(g)), py(this.high[row + g]));
      for (let g = last; g >= begin; --g) pen.lineTo(px(this.middle(g)), py(this.low[row + g]));
      pen.fill();
      pen.lineWidth = 2;
      pen.lineJoin = "round";
      pen.beginPath();
      for (let g = begin; g <= last; ++g) pen.lineTo(px(this.middle(g)), py((this.low[row + g] + this.high[row + g]) / 2));
      pen.stroke();
      begin = end;
    }
  }
}

export function chainMotion(motion: Chain, window: TimeWindow, beside: HTMLElement | null): Node[] {
  const t = values(motion.t);
  const picture = new ChainPicture(motion, t.length);
  const { min, max } = picture.reach;
  const words =
    `Displacement of ${plural(motion.last[picture.groups - 1], "body", "bodies")} at ${count(t.length)} times from ${num(t[0])} to ` +
    `${num(t[t.length - 1])}, between ${num(min)} and ${num(max)}. Space plays, comma and full stop step.`;
  const canvas = sheet(words, (width) => Math.min(Math.max(0.42 * width, 240), 460), (pen, w, h) => picture.paint(pen, w, h, film.frame()));
  const whole = waterfall(motion, picture, (frame) => film.go(frame));
  const film = player(
    t,
    (frame) => {
      canvas.redraw();
      whole.redraw();
      window.show(t[frame]);
    },
    picture.liveliest(),
  );
  whole.follow(film.frame);
  window.onSeek((time) => film.go(nearest(t, time)));
  canvas.element.addEventListener("keydown", (event) => void film.key(event));
  const read = el("output", { class: "position", "aria-live": "off" });
  canvas.element.addEventListener("pointermove", (event) => {
    read.textContent = picture.tell(event.offsetX, canvas.element.clientWidth, film.frame());
  });
  canvas.element.addEventListener("pointerleave", () => void (read.textContent = ""));
  const grouped = motion.first.some((first, g) => first !== motion.last[g]);
  const parts = new Set(motion.part).size > 1;
  const figure = el("figure", { class: "motion" }, el("figcaption", {}, el("span", { class: "title" }, "Displacement over body number"), read), canvas.element);
  return [
    el("div", { class: beside ? "stage" : "" }, figure, beside),
    film.element,
    note(
      `${parts ? "Colours are subsystems. " : ""}The shade is what each body reaches in the whole run.` +
        (grouped ? " Neighbours are drawn together: the band reaches from the smallest to the largest displacement among them." : ""),
    ),
    el("figure", { class: "motion" }, el("figcaption", {}, el("span", { class: "title" }, "The whole run at a glance")), whole.element),
    note(
      `Time runs upward; blue is negative, orange positive displacement, the deepest colour ${num(Math.max(-min, max))}. Colour goes with the ` +
        "root of the displacement, so that weak waves are seen beside strong ones. Click to go to a time.",
    ),
  ];
}
