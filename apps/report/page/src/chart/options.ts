// What uPlot is told: axes, series, cursor, in the colours of the page.
import uPlot from "uplot";

import { num } from "../base/format";
import { color, css } from "../base/theme";
import { axisLabel } from "../base/units";
import type { Axis, ChartOptions } from "./chart";
import { decadesAround, logLines } from "./decades";
import { type Line, nearestDrawn, type Row } from "./lines";
import { evenLines } from "./ticks";

interface Hooks {
  cursor: (u: uPlot) => void;
  scale: (u: uPlot) => void;
  drawn: () => void;
}

const font = "12px system-ui, sans-serif";

// Wide enough for the longest number on it.
function axisSize(u: uPlot, labels: string[] | null): number {
  if (!labels) return 40;
  u.ctx.save();
  u.ctx.font = font;
  const longest = Math.max(...labels.map((text) => u.ctx.measureText(text ?? "").width));
  u.ctx.restore();
  return Math.ceil(longest) + 16;
}

function axis({ label, log }: Axis, isX: boolean): uPlot.Axis {
  const shared: uPlot.Axis = {
    label: axisLabel(label, isX) || undefined,
    font,
    labelFont: `600 ${font}`,
    labelSize: 18,
    stroke: () => css("--axis"),
    grid: { stroke: () => css("--grid"), width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map((v) => (v === null || v === undefined ? "" : num(v, 6))),
  };
  if (!log) shared.splits = (_u, _, min, max, increment) => evenLines(min, max, increment);
  if (log) {
    const space = isX ? 70 : 26;
    shared.filter = (_, splits) => splits;
    shared.splits = (u, _, min, max) => logLines(min, max, (isX ? u.bbox.width : u.bbox.height) / devicePixelRatio / space);
  }
  return isX ? { ...shared, size: 30, space: 70 } : { ...shared, space: 36, size: (u, labels) => axisSize(u, labels) };
}

function series(line: Line, hidden: boolean, points: number): uPlot.Series {
  const stroke = () => color(line.color);
  const style = line.style ?? "line";
  return {
    label: line.name,
    show: !hidden,
    stroke,
    width: style === "points" ? 0 : 1.75,
    pxAlign: 0, // curves, not stairs of pixels
    dash: line.dash,
    paths: style === "points" ? () => null : style === "steps" ? uPlot.paths.stepped!({ align: 1 }) : undefined,
    points: style === "points" ? { show: true, size: 7, fill: stroke, width: 0 } : { show: points < 40, size: 5, fill: stroke },
  };
}

function level(u: uPlot, y: number, label: string): void {
  const at = u.valToPos(y, "y", true);
  const { left, top, width, height } = u.bbox;
  if (!(at >= top && at <= top + height)) return;
  u.ctx.save();
  u.ctx.strokeStyle = u.ctx.fillStyle = css("--bad");
  u.ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  u.ctx.lineWidth = devicePixelRatio;
  u.ctx.beginPath();
  u.ctx.moveTo(left, at);
  u.ctx.lineTo(left + width, at);
  u.ctx.stroke();
  u.ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  u.ctx.textAlign = "right";
  u.ctx.fillText(label, left + width - 4 * devicePixelRatio, at - 4 * devicePixelRatio);
  u.ctx.restore();
}

// A little air above and below; a flat course gets a strip around it.
function padded(min: number, max: number): [number, number] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const air = max > min ? 0.06 * (max - min) : Math.abs(max) || 1;
  return [min - air, max + air];
}

function yRange(o: ChartOptions): uPlot.Scale.Range {
  const within = (min: number | null, max: number | null): [number, number] => {
    const reach = o.reach?.();
    const low = Math.min(min ?? Infinity, reach?.min ?? Infinity);
    const high = Math.max(max ?? -Infinity, reach?.max ?? -Infinity);
    return [low, high];
  };
  if (!o.y.log) return (_, min, max) => padded(...within(min, max));
  return (_, min, max) => {
    const [low, high] = within(min, max);
    if (!(low > 0) || !(high > 0)) return [0.1, 10];
    const top = Math.max(high, o.level?.y ?? high);
    const bottom = Math.min(low, o.level?.y ?? low);
    return decadesAround(bottom, top, o.y.decades);
  };
}

export function plotOptions(o: ChartOptions, rows: Row[], hidden: Set<string>, hooks: Hooks): Omit<uPlot.Options, "width" | "height"> {
  const draw = (u: uPlot) => {
    hooks.drawn();
    if (o.level) level(u, o.level.y, o.level.label);
    if (!o.overlay) return;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    u.ctx.clip();
    o.overlay(u);
    u.ctx.restore();
  };
  return {
    legend: { show: false },
    padding: [10, 26, 0, 0],
    scales: {
      x: { time: false, distr: o.x.log ? 3 : 1, range: (_, min, max) => (min < max ? [min, max] : padded(min, max)) },
      y: { distr: o.y.log ? 3 : 1, range: yRange(o) },
    },
    axes: [axis(o.small ? { ...o.x, label: "" } : o.x, true), axis(o.y, false)],
    series: [{}, ...o.lines.map((line, i) => series(line, hidden.has(line.name), rows[i + 1].length))],
    cursor: {
      dataIdx: (_, seriesIndex, index) => (seriesIndex ? nearestDrawn(rows[seriesIndex], index) : index),
      drag: { x: true, y: false, dist: 4 },
      points: { size: 7 },
      sync: o.window ? { key: o.window.key, scales: ["x", null] } : undefined,
      bind: { mousedown: (_u, _t, handler) => (event) => (event.shiftKey || event.button !== 0 ? null : handler(event)) },
    },
    hooks: {
      setCursor: [hooks.cursor],
      setScale: [(u, name) => void (name === "x" && hooks.scale(u))],
      draw: [draw],
    },
  };
}
