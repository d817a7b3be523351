// A chart as a picture (PNG, SVG), as it is drawn now, or as numbers (CSV), all of them.
import type uPlot from "uplot";

import { download, fileName } from "../base/download";
import { el } from "../base/dom";
import { css } from "../base/theme";
import type { ChartOptions } from "./chart";
import { csvOf } from "./csv";
import { lineColor } from "./legend";
import type { Row } from "./lines";
import { svgOf } from "./svg";

export interface Drawing {
  u: uPlot;
  options: ChartOptions;
  rows: Row[];
  shown: boolean[]; // of each line
}

const head = 30; // pixels for the title
const foot = 26; // and for the names of the lines

/// The canvas with title, background and names of the lines.
function pngOf(d: Drawing): Promise<Blob | null> {
  const from = d.u.ctx.canvas;
  const ratio = from.width / d.u.width;
  const canvas = el("canvas");
  canvas.width = from.width;
  canvas.height = from.height + Math.round((head + foot) * ratio);
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = css("--card");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(from, 0, Math.round(head * ratio));
  pen.scale(ratio, ratio);
  pen.textBaseline = "middle";
  pen.fillStyle = css("--text");
  pen.font = "600 14px system-ui, sans-serif";
  pen.fillText(d.options.title, 12, head / 2);
  pen.font = "12px system-ui, sans-serif";
  let x = 12;
  const y = head + d.u.height + foot / 2;
  d.options.lines.forEach((line, i) => {
    if (!d.shown[i] || x > d.u.width) return;
    pen.fillStyle = lineColor(line);
    pen.fillRect(x, y - 2, 18, 3);
    pen.fillStyle = css("--text");
    pen.fillText(line.name, x + 24, y);
    x += 40 + pen.measureText(line.name).width;
  });
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export function saveMenu(title: string, drawing: () => Drawing | null): HTMLElement {
  const save = async (kind: "png" | "svg" | "csv") => {
    const d = drawing();
    menu.open = false;
    if (!d) return;
    const name = `${fileName(title)}.${kind}`;
    if (kind === "csv") return download(name, new Blob([csvOf(d)], { type: "text/csv" }));
    if (kind === "svg") return download(name, new Blob([svgOf(d)], { type: "image/svg+xml" }));
    const png = await pngOf(d);
    if (png) download(name, png);
  };
  const item = (kind: "png" | "svg" | "csv", what: string) =>
    el("button", { type: "button", "aria-label": `Save ${title} as ${what}`, onclick: () => void save(kind) }, kind.toUpperCase());
  const summary = el("summary", { class: "small", title: "Save", "aria-label": `Save: ${title}` }, "Save");
  const list = el("span", { class: "menu-list" }, item("png", "a picture (PNG)"), item("svg", "a drawing (SVG)"), item("csv", "numbers (CSV)"));
  const menu = el("details", { class: "menu", onkeydown: (e: KeyboardEvent) => e.key === "Escape" && (menu.open = false) }, summary, list);
  return menu;
}
