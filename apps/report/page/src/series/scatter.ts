// Any column over any other one, coloured by a third.
import { axes, frameOf } from "../base/canvas";
import { el, missing, note, replace } from "../base/dom";
import { plural } from "../base/format";
import { share } from "../base/scale";
import { css } from "../base/theme";
import { airy, type Column, scaleOf, type Variants } from "./variants";
import { about, Colours, columnChoice, view } from "./view";

const near = 18; // pixels

export function scatter(v: Variants): Node[] {
  const columns = v.varying;
  if (columns.length < 2) return [missing("There are no two quantities that differ between variants.")];
  const parameters = columns.filter((c) => c.kind === "parameter");
  let x: Column = parameters[0] ?? columns[0];
  let y: Column = columns.find((c) => c.kind === "measure" && c !== x) ?? columns.find((c) => c !== x)!;
  let by: Column | null = parameters[1] ?? null;
  const words = el("div");

  const picture = view("Scatter plot", v, (width) => Math.min(480, Math.max(280, width * 0.5)), (pen, width, height) => {
    const f = frameOf(width, height);
    const [across, up] = [airy(scaleOf(x)), airy(scaleOf(y))];
    axes(pen, f, across, up);
    const colours = new Colours(by);
    const place = (i: number): [number, number] => [f.left + share(across, x.values[i]) * f.width, f.top + f.height - share(up, y.values[i]) * f.height];
    const drawn: number[] = [];
    for (let i = 0; i < v.count; ++i) if (Number.isFinite(x.values[i]) && Number.isFinite(y.values[i])) drawn.push(i);
    const dot = (i: number, radius: number) => {
      const [px, py] = place(i);
      pen.beginPath();
      pen.arc(px, py, radius, 0, 2 * Math.PI);
      pen.fill();
    };
    const radius = drawn.length > 2000 ? 2 : 4;
    pen.fillStyle = css("--grid");
    for (const i of drawn) if (!v.kept(i)) dot(i, radius);
    for (const i of drawn) {
      if (!v.kept(i)) continue;
      pen.fillStyle = colours.of(i);
      dot(i, radius);
    }
    if (drawn.includes(v.chosen)) {
      pen.fillStyle = css("--bad");
      dot(v.chosen, radius + 2);
    }
    return (px, py) => {
      let best = -1;
      let least = near;
      for (const i of drawn) {
        const [qx, qy] = place(i);
        const far = Math.hypot(px - qx, py - qy);
        if (v.kept(i) && far < least) (least = far), (best = i);
      }
      return best;
    };
  });
  const tell = () => {
    const absent = Array.from({ length: v.count }, (_, i) => i).filter((i) => !Number.isFinite(x.values[i]) || !Number.isFinite(y.values[i])).length;
    const left = absent ? `${plural(absent, "variant")} without ${x.name} or ${y.name} ${absent === 1 ? "is" : "are"} not shown.` : "";
    replace(words, note([new Colours(by).words, left].filter(Boolean).join(" ")));
    picture.element.querySelector("canvas")?.setAttribute("aria-label", `Scatter plot: ${y.name} over ${x.name}, ${v.count - absent} variants. Their numbers are in the table.`);
    picture.redraw();
  };
  tell();
  const controls = el(
    "div",
    { class: "controls" },
    columnChoice("Across", columns, null, x, (c) => ((x = c ?? x), tell())),
    columnChoice("Up", columns, null, y, (c) => ((y = c ?? y), tell())),
    columnChoice("Colour", columns, "all the same", by, (c) => ((by = c), tell())),
  );
  return [controls, picture.element, about(v), words];
}
