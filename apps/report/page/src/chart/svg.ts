// A chart as a drawing of lines and text, the stretch that is shown, for papers.
import { num } from "../base/format";
import { ticks } from "../base/scale";
import { css } from "../base/theme";
import { axisLabel } from "../base/units";
import { logLines } from "./decades";
import { lineColor } from "./legend";
import type { Row } from "./lines";
import type { Drawing } from "./save";

const width = 720;
const height = 420;
const box = { left: 84, top: 40, right: 20, bottom: 84 };

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const at = (x: number): string => x.toFixed(2);

interface Side {
  min: number;
  max: number;
  log: boolean;
  label: string;
}

const share = (s: Side, x: number): number => (s.log ? Math.log(x / s.min) / Math.log(s.max / s.min) : (x - s.min) / (s.max - s.min));
const marks = (s: Side, pixels: number, space: number): number[] =>
  s.log ? logLines(s.min, s.max, pixels / space) : ticks(s.min, s.max, pixels, space);

function side(d: Drawing, key: "x" | "y"): Side {
  const { min, max } = d.u.scales[key];
  return { min: min ?? 0, max: max ?? 1, log: d.options[key].log === true, label: axisLabel(d.options[key].label, key === "x") };
}

/// Steps go on with their value until the next point.
function path(x: Row, y: Row, px: (v: number) => number, py: (v: number) => number, steps: boolean): string {
  let text = "";
  let before: number | null = null;
  for (let i = 0; i < y.length; ++i) {
    const [u, v] = [x[i], y[i]];
    if (v === undefined || typeof u !== "number") continue;
    if (v === null) {
      before = null;
      continue;
    }
    text += before === null ? `M${at(px(u))} ${at(py(v))}` : steps ? `H${at(px(u))}V${at(py(v))}` : `L${at(px(u))} ${at(py(v))}`;
    before = v;
  }
  return text;
}

function dots(x: Row, y: Row, px: (v: number) => number, py: (v: number) => number): string {
  let text = "";
  y.forEach((v, i) => {
    const u = x[i];
    if (typeof v === "number" && typeof u === "number") text += `<circle cx="${at(px(u))}" cy="${at(py(v))}" r="3"/>`;
  });
  return text;
}

function grid(x: Side, y: Side, px: (v: number) => number, py: (v: number) => number): string {
  const [w, h] = [width - box.left - box.right, height - box.top - box.bottom];
  const [right, bottom] = [width - box.right, height - box.bottom];
  let lines = "";
  let words = "";
  for (const value of marks(x, w, 80)) {
    lines += `<path d="M${at(px(value))} ${box.top}V${bottom}"/>`;
    words += `<text x="${at(px(value))}" y="${bottom + 18}" text-anchor="middle">${escaped(num(value, 6))}</text>`;
  }
  for (const value of marks(y, h, 40)) {
    lines += `<path d="M${box.left} ${at(py(value))}H${right}"/>`;
    words += `<text x="${box.left - 8}" y="${at(py(value) + 4)}" text-anchor="end">${escaped(num(value, 6))}</text>`;
  }
  const middle = box.top + h / 2;
  words += `<text x="${box.left + w / 2}" y="${bottom + 38}" text-anchor="middle" font-weight="600">${escaped(x.label)}</text>`;
  words += `<text transform="translate(16 ${middle}) rotate(-90)" text-anchor="middle" font-weight="600">${escaped(y.label)}</text>`;
  return `<g stroke="${css("--grid")}">${lines}</g><g fill="${css("--axis")}">${words}</g>`;
}

function names(d: Drawing): string {
  let x = box.left;
  let text = "";
  d.options.lines.forEach((line, i) => {
    if (!d.shown[i] || x > width) return;
    const dash = line.dash ? ` stroke-dasharray="${line.dash.join(" ")}"` : "";
    text += `<path d="M${x} ${height - 16}h22" stroke="${lineColor(line)}" stroke-width="2.5"${dash}/>`;
    text += `<text x="${x + 28}" y="${height - 12}" fill="${css("--text")}">${escaped(line.name)}</text>`;
    x += 46 + 6.6 * line.name.length;
  });
  return text;
}

export function svgOf(d: Drawing): string {
  const [x, y] = [side(d, "x"), side(d, "y")];
  const px = (v: number) => box.left + share(x, v) * (width - box.left - box.right);
  const py = (v: number) => height - box.bottom - share(y, v) * (height - box.top - box.bottom);
  const curves = d.options.lines.map((line, i) => {
    if (!d.shown[i]) return "";
    const color = lineColor(line);
    if (line.style === "points") return `<g fill="${color}">${dots(d.rows[0], d.rows[i + 1], px, py)}</g>`;
    const dash = line.dash ? ` stroke-dasharray="${line.dash.join(" ")}"` : "";
    const shape = path(d.rows[0], d.rows[i + 1], px, py, line.style === "steps");
    return `<path d="${shape}" fill="none" stroke="${color}" stroke-width="1.75" stroke-linejoin="round"${dash}/>`;
  });
  const [w, h] = [width - box.left - box.right, height - box.top - box.bottom];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="${css("--card")}"/>`,
    `<text x="${box.left}" y="24" font-size="15" font-weight="600" fill="${css("--text")}">${escaped(d.options.title)}</text>`,
    `<clipPath id="frame"><rect x="${box.left}" y="${box.top}" width="${w}" height="${h}"/></clipPath>`,
    grid(x, y, px, py),
    `<g clip-path="url(#frame)">${curves.join("")}</g>`,
    names(d),
    "</svg>",
    "",
  ].join("\n");
}
