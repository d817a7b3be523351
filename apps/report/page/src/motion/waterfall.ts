// The whole motion of a chain in one picture: body over time, colour the displacement.
import { axes, type Frame, frameOf, type Sheet, sheet } from "../base/canvas";
import { num } from "../base/format";
import { type Values, values } from "../base/numbers";
import { diverging } from "../base/colormap";
import { css, theme } from "../base/theme";
import { withUnits } from "../base/units";
import type { Motion } from "../data";

interface Picture {
  low: Values;
  high: Values;
  groups: number;
  frames: number;
  reach: { min: number; max: number };
}

export interface Waterfall extends Sheet {
  follow: (frame: () => number) => void;
}

// Of each group the value farther from rest.
function image(p: Picture): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = p.groups;
  canvas.height = p.frames;
  const pen = canvas.getContext("2d")!;
  const pixels = pen.createImageData(p.groups, p.frames);
  const size = Math.max(Math.abs(p.reach.min), Math.abs(p.reach.max)) || 1;
  const dark = theme() === "dark";
  for (let f = 0; f < p.frames; ++f) {
    for (let g = 0; g < p.groups; ++g) {
      const low = p.low[f * p.groups + g];
      const high = p.high[f * p.groups + g];
      const value = Math.abs(low) > Math.abs(high) ? low : high;
      // Strong and weak waves are to be seen together: the root of the displacement.
      const share = Math.sign(value) * Math.sqrt(Math.min(Math.abs(value) / size, 1));
      pixels.data.set(diverging(share, dark), 4 * ((p.frames - 1 - f) * p.groups + g));
    }
  }
  pen.putImageData(pixels, 0, 0);
  return canvas;
}

export function waterfall(motion: Extract<Motion, { kind: "chain" }>, p: Picture, go: (frame: number) => void): Waterfall {
  const t = values(motion.t);
  let drawn: { theme: string; image: HTMLCanvasElement } | null = null;
  let current = () => 0;
  let frame: Frame = { left: 0, top: 0, width: 1, height: 1 };
  const begin = t[0] ?? 0;
  const end = t[t.length - 1] ?? 1;
  const paint = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    frame = frameOf(width, height);
    if (drawn?.theme !== theme()) drawn = { theme: theme(), image: image(p) };
    const last = Math.max(motion.last[p.groups - 1], motion.first[0] + 1);
    axes(pen, frame, { low: motion.first[0], high: last, label: "body", integers: true }, { low: begin, high: end, label: withUnits("t", ["time"]) });
    pen.imageSmoothingEnabled = false;
    pen.drawImage(drawn.image, frame.left, frame.top, frame.width, frame.height);
    const at = frame.top + frame.height * (1 - (t[current()] - begin) / (end - begin || 1));
    pen.strokeStyle = css("--text");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(frame.left, at);
    pen.lineTo(frame.left + frame.width, at);
    pen.stroke();
  };
  const words = `Displacement of every body over time, as colours, from ${num(p.reach.min)} to ${num(p.reach.max)}.`;
  const canvas = sheet(words, (width) => Math.min(Math.max(0.36 * width, 220), 380), paint);
  canvas.element.addEventListener("click", (event) => {
    const share = 1 - (event.offsetY - frame.top) / frame.height;
    go(share * (p.frames - 1));
  });
  return { ...canvas, follow: (f) => void (current = f) };
}
