// Zoom and pan of a chart along x: wheel, fingers, shift and drag, keys. Dragging without shift selects a
// stretch, which uPlot does itself.
import type uPlot from "uplot";

export interface Stretching {
  full: () => [number, number]; // of the data
  show: (min: number, max: number) => void;
  reset: () => void;
}

const log = (u: uPlot): boolean => u.scales.x.distr === 3;
const forth = (u: uPlot, x: number): number => (log(u) ? Math.log(x) : x);
const back = (u: uPlot, x: number): number => (log(u) ? Math.exp(x) : x);

// On the scale as drawn: a share of the width.
function shown(u: uPlot): [number, number] {
  return [forth(u, u.scales.x.min ?? 0), forth(u, u.scales.x.max ?? 1)];
}

function limited(u: uPlot, s: Stretching, min: number, max: number): void {
  const [low, high] = s.full().map((x) => forth(u, x));
  const width = Math.min(max - min, high - low);
  if (width >= (high - low) * (1 - 1e-9)) return s.reset();
  if (width < (high - low) * 1e-9) return;
  const begin = Math.min(Math.max(min, low), high - width);
  s.show(back(u, begin), back(u, begin + width));
}

/// factor < 1 magnifies; `at` is the fixed place, a share of the width.
export function zoom(u: uPlot, s: Stretching, factor: number, at = 0.5): void {
  const [min, max] = shown(u);
  const center = min + at * (max - min);
  limited(u, s, center - (center - min) * factor, center + (max - center) * factor);
}

/// By a share of the width.
export function pan(u: uPlot, s: Stretching, share: number): void {
  const [min, max] = shown(u);
  limited(u, s, min + share * (max - min), max + share * (max - min));
}

function wheel(u: uPlot, s: Stretching, focused: () => boolean): void {
  u.over.addEventListener(
    "wheel",
    (event) => {
      // The page scrolls under charts that nobody chose.
      if (!event.ctrlKey && !event.metaKey && !focused()) return;
      event.preventDefault();
      const box = u.over.getBoundingClientRect();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return pan(u, s, event.deltaX / box.width);
      zoom(u, s, Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), (event.clientX - box.left) / box.width);
    },
    { passive: false },
  );
}

function drags(u: uPlot, s: Stretching): void {
  const down = new Map<number, number>(); // pointer: x
  const width = () => u.over.getBoundingClientRect().width;
  u.over.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" && !event.shiftKey) return;
    down.set(event.pointerId, event.clientX);
    u.over.setPointerCapture(event.pointerId);
  });
  u.over.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (before === undefined) return;
    if (down.size === 1) {
      pan(u, s, (before - event.clientX) / width());
    } else {
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1] ?? before;
      const gap = Math.max(Math.abs(event.clientX - other), 8);
      const left = u.over.getBoundingClientRect().left;
      zoom(u, s, Math.max(Math.abs(before - other), 8) / gap, (other - left) / width());
    }
    down.set(event.pointerId, event.clientX);
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    u.over.addEventListener(end, (event) => down.delete(event.pointerId));
  }
}

/// A click that is no drag and no part of a double one.
export function onClick(over: HTMLElement, act: (left: number) => void): void {
  let down = -1;
  over.addEventListener("pointerdown", (event) => void (down = event.clientX));
  over.addEventListener("click", (event) => {
    if (event.detail > 1 || event.shiftKey || Math.abs(event.clientX - down) > 3) return;
    act(event.clientX - over.getBoundingClientRect().left);
  });
}

function moveCursor(u: uPlot, direction: number): void {
  const width = u.over.clientWidth;
  const at = u.cursor.left !== undefined && u.cursor.left >= 0 ? u.cursor.left : width / 2;
  u.setCursor({ left: Math.min(Math.max(at + direction * Math.max(width / 100, 2), 0), width - 1), top: u.over.clientHeight / 2 });
}

/// Arrows read values, shift and arrows pan, + and - zoom, 0 shows all. True: the key was one of these.
export function key(u: uPlot, s: Stretching, event: KeyboardEvent): boolean {
  const direction = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (direction && event.shiftKey) pan(u, s, direction * 0.1);
  else if (direction) moveCursor(u, direction);
  else if (event.key === "+" || event.key === "=") zoom(u, s, 0.7);
  else if (event.key === "-") zoom(u, s, 1 / 0.7);
  else if (event.key === "0" || event.key === "Escape") s.reset();
  else return false;
  return true;
}

export function attachGestures(u: uPlot, s: Stretching, focused: () => boolean): void {
  wheel(u, s, focused);
  drags(u, s);
}
