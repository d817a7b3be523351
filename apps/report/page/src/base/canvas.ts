// A canvas in CSS pixels that follows the width of its place, the resolution of the screen and the theme.
import { el } from "./dom";
import { marks, markText, type Scale, share } from "./scale";
import { css, onTheme } from "./theme";

export interface Sheet {
  element: HTMLCanvasElement;
  redraw: () => void;
}

export type Paint = (pen: CanvasRenderingContext2D, width: number, height: number) => void;

/// `height` may follow the width.
export function sheet(name: string, height: (width: number) => number, paint: Paint): Sheet {
  const element = el("canvas", { role: "img", tabindex: "0", "aria-label": name });
  let width = 0;
  let due = false;
  const draw = () => {
    due = false;
    const pen = element.getContext("2d");
    if (!pen || width < 20) return;
    const tall = height(width);
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(tall * ratio)];
    if (element.width !== w || element.height !== h) {
      element.width = w;
      element.height = h;
      element.style.height = `${tall}px`;
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, tall);
    pen.font = "12px system-ui, sans-serif";
    paint(pen, width, tall);
  };
  const redraw = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(draw);
  };
  new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    draw();
  }).observe(element);
  onTheme(redraw);
  return { element, redraw };
}

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/// Room for the numbers of the axes.
export function frameOf(width: number, height: number): Frame {
  const narrow = width < 500;
  return { left: narrow ? 62 : 78, top: 10, width: width - (narrow ? 80 : 104), height: height - 56 };
}

/// Grid, numbers and labels of a picture with two axes; y upward.
export function axes(pen: CanvasRenderingContext2D, f: Frame, x: Scale, y: Scale): void {
  pen.save();
  pen.strokeStyle = css("--grid");
  pen.fillStyle = css("--axis");
  pen.lineWidth = 1;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const value of marks(x, f.width, 80)) {
    const at = f.left + share(x, value) * f.width;
    pen.beginPath();
    pen.moveTo(at, f.top);
    pen.lineTo(at, f.top + f.height);
    pen.stroke();
    pen.fillText(markText(x, value), at, f.top + f.height + 6);
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const value of marks(y, f.height, 40)) {
    const at = f.top + f.height - share(y, value) * f.height;
    pen.beginPath();
    pen.moveTo(f.left, at);
    pen.lineTo(f.left + f.width, at);
    pen.stroke();
    pen.fillText(markText(y, value), f.left - 6, at);
  }
  pen.font = "600 12px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "bottom";
  pen.fillText(x.label, f.left + f.width / 2, f.top + f.height + 38);
  pen.translate(14, f.top + f.height / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = "middle";
  pen.fillText(y.label, 0, 0);
  pen.restore();
}
