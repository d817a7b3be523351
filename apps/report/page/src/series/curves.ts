// The curves of a measure, those of all variants laid over each other.
import { axes, frameOf } from "../base/canvas";
import { el, note, replace, select } from "../base/dom";
import { course, type Course, nearest, range } from "../base/numbers";
import { type Scale, share } from "../base/scale";
import { css } from "../base/theme";
import type { SeriesPage } from "../data";
import { airy, type Column, type Variants } from "./variants";
import { about, Colours, columnChoice, view } from "./view";

const near = 14; // pixels

interface Curve extends Course {
  variant: number;
}

function spanned(curves: Curve[], of: "t" | "y", name: string): Scale {
  const ranges = curves.map((c) => range(c[of])).filter((r) => r !== null);
  const low = Math.min(...ranges.map((r) => r.min));
  const high = Math.max(...ranges.map((r) => r.max));
  if (!ranges.length) return { low: 0, high: 1, label: name };
  return high > low ? { low, high, label: name } : { low: low - 1, high: high + 1, label: name };
}

export function curves(v: Variants, page: SeriesPage): Node[] {
  let which = 0;
  let by: Column | null = v.varying.find((c) => c.kind === "parameter") ?? null;
  const decoded = page.curves.map((c) => c.curves.map((one): Curve => ({ variant: one.variant, ...course(one.series) })));
  const words = el("div");
  const picture = view("Curves", v, (width) => Math.min(480, Math.max(280, width * 0.45)), (pen, width, height) => {
    const f = frameOf(width, height);
    const shown = decoded[which].filter((c) => c.t.length);
    const [across, up] = [spanned(shown, "t", "t, or frequency of a spectrum"), airy(spanned(shown, "y", page.curves[which].name))];
    axes(pen, f, across, up);
    const colours = new Colours(by);
    const px = (t: number) => f.left + share(across, t) * f.width;
    const py = (y: number) => f.top + f.height - share(up, y) * f.height;
    const stroke = (c: Curve, style: string, thick: number) => {
      pen.strokeStyle = style;
      pen.lineWidth = thick;
      pen.beginPath();
      for (let k = 0; k < c.t.length; ++k) pen.lineTo(px(c.t[k]), py(c.y[k]));
      pen.stroke();
    };
    for (const c of shown) if (!v.kept(c.variant)) stroke(c, css("--grid"), 1);
    pen.globalAlpha = shown.length > 100 ? 0.6 : 0.9;
    for (const c of shown) if (v.kept(c.variant)) stroke(c, colours.of(c.variant), 1.3);
    pen.globalAlpha = 1;
    const chosen = shown.find((c) => c.variant === v.chosen);
    if (chosen) stroke(chosen, css("--bad"), 3);
    return (x, y) => {
      let best = -1;
      let least = near;
      const t = across.low + ((x - f.left) / f.width) * (across.high - across.low);
      for (const c of shown) {
        if (!v.kept(c.variant)) continue;
        const far = Math.abs(py(c.y[nearest(c.t, t)]) - y);
        if (far < least) (least = far), (best = c.variant);
      }
      return best;
    };
  });
  const tell = () => {
    replace(words, note([`${decoded[which].length} curves.`, new Colours(by).words].filter(Boolean).join(" ")));
    picture.element.querySelector("canvas")?.setAttribute("aria-label", `${page.curves[which].name} of ${decoded[which].length} variants, laid over each other`);
    picture.redraw();
  };
  tell();
  const names = page.curves.map((c, i) => ({ value: String(i), label: c.name }));
  const controls = el(
    "div",
    { class: "controls" },
    names.length > 1 ? select("Curve", names, "0", (value) => ((which = Number(value)), tell())) : null,
    columnChoice("Colour", v.varying, "all the same", by, (c) => ((by = c), tell())),
  );
  return [controls, picture.element, about(v), words];
}
