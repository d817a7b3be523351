// An orthographic camera: turned by yaw and pitch around the middle of the scene, moved and magnified on the
// picture. z is up.

export interface Camera {
  yaw: number;
  pitch: number;
  zoom: number;
  shift: [number, number]; // pixels
}

export const planeCamera = (): Camera => ({ yaw: 0, pitch: Math.PI / 2, zoom: 1, shift: [0, 0] });
export const spaceCamera = (): Camera => ({ yaw: -0.6, pitch: 0.45, zoom: 1, shift: [0, 0] });

/// Right, up and towards the eye, in the coordinates of the scene; pitch is the height of the eye.
export function directions(c: Camera): [number[], number[], number[]] {
  const [cy, sy, cp, sp] = [Math.cos(c.yaw), Math.sin(c.yaw), Math.cos(c.pitch), Math.sin(c.pitch)];
  return [
    [cy, sy, 0],
    [-sy * sp, cy * sp, cp],
    [sy * cp, -cy * cp, sp],
  ];
}

export interface Controls {
  turns: boolean; // a plane is only moved
  changed: () => void;
}

function wheel(canvas: HTMLCanvasElement, camera: Camera, controls: Controls): void {
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      magnify(camera, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)));
      controls.changed();
    },
    { passive: false },
  );
}

export function magnify(camera: Camera, factor: number): void {
  camera.zoom = Math.min(Math.max(camera.zoom * factor, 0.1), 1000);
}

function move(camera: Camera, controls: Controls, dx: number, dy: number, shift: boolean): void {
  if (controls.turns && !shift) {
    camera.yaw -= 0.008 * dx;
    camera.pitch = Math.min(Math.max(camera.pitch + 0.008 * dy, -Math.PI / 2), Math.PI / 2);
  } else {
    camera.shift[0] += dx;
    camera.shift[1] += dy;
  }
  controls.changed();
}

/// Drag turns (with shift, or in the plane: moves), wheel and pinch magnify, arrows turn, + and - magnify.
export function attachCamera(canvas: HTMLCanvasElement, camera: Camera, controls: Controls): void {
  wheel(canvas, camera, controls);
  const down = new Map<number, [number, number]>();
  canvas.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now: [number, number] = [event.clientX, event.clientY];
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const gap = (p: [number, number]) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 8);
      magnify(camera, gap(now) / gap(before));
      controls.changed();
    } else {
      move(camera, controls, now[0] - before[0], now[1] - before[1], event.shiftKey);
    }
    down.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (event) => down.delete(event.pointerId));
  canvas.addEventListener("keydown", (event) => {
    const way: Record<string, [number, number]> = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, -15], ArrowDown: [0, 15] };
    const step = way[event.key];
    if (step) move(camera, controls, step[0], step[1], event.shiftKey);
    else if (event.key === "+" || event.key === "=") magnify(camera, 1.2), controls.changed();
    else if (event.key === "-") magnify(camera, 1 / 1.2), controls.changed();
    else return;
    event.preventDefault();
  });
}
