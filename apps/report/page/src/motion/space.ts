// Bodies in the plane or in space: solids where the browser can, else points with their links; paths, names
// and forces as the reader wants them. Player and curves share one clock.
import { sheet } from "../base/canvas";
import { el, note } from "../base/dom";
import { download, fileName } from "../base/download";
import { count, num, plural } from "../base/format";
import { nearest, values } from "../base/numbers";
import { color, css, partColor } from "../base/theme";
import type { TimeWindow } from "../chart/window";
import type { Run } from "../data";
import { attachCamera, type Camera, planeCamera, spaceCamera } from "./camera";
import { forcesOf, tipsOf } from "./forces";
import { player } from "./player";
import { pathsAtMost, Scene } from "./scene";
import { type Solids, solids } from "./solids";
import { readScene, type Space, World } from "./world";

function links(pen: CanvasRenderingContext2D, s: Scene, m: Space): void {
  pen.strokeStyle = css("--soft");
  pen.lineWidth = s.bodies > 400 ? 1 : 2;
  pen.beginPath();
  for (let k = 0; k + 1 < m.links.length; k += 2) {
    const [a, b] = [m.links[k], m.links[k + 1]];
    if (a < 0 || b < 0 || a >= s.bodies || b >= s.bodies) continue;
    pen.moveTo(s.x[a], s.y[a]);
    pen.lineTo(s.x[b], s.y[b]);
  }
  pen.stroke();
}

function dots(pen: CanvasRenderingContext2D, s: Scene, colorOf: (body: number) => string, grounded: Set<number>): void {
  const radius = s.bodies > 2000 ? 1.5 : s.bodies > 400 ? 2.5 : s.bodies > 60 ? 3.5 : 6;
  for (const b of s.backToFront()) {
    pen.fillStyle = colorOf(b);
    pen.beginPath();
    pen.arc(s.x[b], s.y[b], radius, 0, 2 * Math.PI);
    pen.fill();
    if (grounded.has(b)) {
      pen.strokeStyle = css("--axis");
      pen.lineWidth = 1.5;
      pen.strokeRect(s.x[b] - radius - 3, s.y[b] - radius - 3, 2 * radius + 6, 2 * radius + 6);
    }
  }
}

function names(pen: CanvasRenderingContext2D, s: Scene, m: Space): void {
  pen.textBaseline = "bottom";
  pen.textAlign = "left";
  pen.lineWidth = 3;
  pen.strokeStyle = css("--back");
  pen.fillStyle = css("--text");
  for (let b = 0; b < s.bodies; ++b) {
    pen.strokeText(m.names[b] ?? "", s.x[b] + 8, s.y[b] - 6);
    pen.fillText(m.names[b] ?? "", s.x[b] + 8, s.y[b] - 6);
  }
}

function groundedBodies(m: Space): Set<number> {
  const found = new Set<number>();
  for (let k = 0; k + 1 < m.links.length; k += 2) {
    if (m.links[k] < 0 && m.links[k + 1] >= 0) found.add(m.links[k + 1]);
    if (m.links[k + 1] < 0 && m.links[k] >= 0) found.add(m.links[k]);
  }
  return found;
}

const namesAtMost = 60;

/// Of subsystems; of few bodies that are not cut every one has its own.
function bodyColor(m: Space): (body: number) => string {
  const cut = new Set(m.part).size > 1 || m.names.length > 100;
  return cut ? (b) => partColor(m.part[b]) : (b) => color(b);
}

/// What is to be seen; a box of each stands under the picture.
interface Wishes {
  follow: boolean;
  forces: boolean;
  paths: boolean;
  names: boolean;
}

class SpacePicture {
  readonly world: World;
  readonly scene: Scene;
  readonly flat: boolean;
  readonly camera: Camera;
  readonly forces;
  readonly wishes: Wishes;
  private readonly colorOf: (body: number) => string;
  private readonly grounded: Set<number>;
  private solids: Solids | null | undefined;
  private reach: ReturnType<Scene["reachOf"]> | undefined; // with all arrows

  constructor(
    run: Run,
    readonly motion: Space,
    readonly t: ArrayLike<number>,
  ) {
    const data = readScene(run.scene);
    this.world = new World(motion, data);
    this.scene = new Scene(motion, t.length, this.world.radius(), this.world.groundPoints());
    this.flat = motion.dimensions === 2;
    this.camera = this.flat ? planeCamera() : spaceCamera();
    this.forces = data ? forcesOf(run, data) : [];
    this.grounded = groundedBodies(motion);
    this.colorOf = bodyColor(motion);
    const few = motion.names.length <= pathsAtMost;
    this.wishes = { follow: this.scene.travels(), forces: this.forces.length > 0 && this.forces.length <= 60, paths: few && !this.scene.travels(), names: false };
  }

  get solid(): boolean {
    return Boolean(this.solids);
  }

  paint(pen: CanvasRenderingContext2D, width: number, height: number, frame: number): void {
    const { scene, motion, wishes } = this;
    if (this.solids === undefined) this.solids = solids(this.world, scene, this.forces, this.flat, this.colorOf);
    const arrows = this.solids && wishes.forces;
    if (arrows) this.reach ??= scene.reachOf(tipsOf(this.world, this.forces, this.t, scene.pictured()));
    scene.project(this.camera, width, height, frame, wishes.follow, arrows ? this.reach : undefined);
    if (this.solids) this.solids.draw(pen, width, height, frame, this.t[frame], wishes.forces);
    else scene.box(pen);
    if (wishes.paths && motion.names.length <= pathsAtMost) scene.paths(pen, frame, this.colorOf);
    if (!this.solids || !this.world.data) links(pen, scene, motion);
    if (!this.solids) {
      if (motion.turn && motion.names.length <= 300) scene.turns(pen, frame);
      dots(pen, scene, this.colorOf, this.grounded);
    }
    if (wishes.names && motion.names.length <= namesAtMost) names(pen, scene, motion);
    scene.triad(pen, height, this.flat);
  }

  words(): string {
    const { motion, t, flat } = this;
    return (
      `${plural(motion.names.length, "body", "bodies")} in ${flat ? "the plane" : "space"} at ${count(t.length)} times from ${num(t[0])} to ` +
      `${num(t[t.length - 1])}; ${this.scene.extent()}. Space plays, arrows ${flat ? "move" : "turn"}, plus and minus magnify.`
    );
  }

  tell(body: number, frame: number): string {
    if (body < 0) return "";
    const part = this.motion.part[body] > 0 ? `, subsystem ${this.motion.part[body]}` : "";
    return `${this.motion.names[body]}${part}: ${this.scene.where(frame, body)}`;
  }
}

function switches(picture: SpacePicture, redraw: () => void): HTMLElement[] {
  const box = (key: keyof Wishes, label: string): HTMLElement => {
    const input: HTMLInputElement = el("input", {
      type: "checkbox",
      checked: picture.wishes[key],
      onchange: () => {
        picture.wishes[key] = input.checked;
        redraw();
      },
    });
    return el("label", { class: "field" }, input, label);
  };
  const few = picture.motion.names.length;
  return [
    box("follow", "Follow"),
    ...(picture.forces.length ? [box("forces", "Forces")] : []),
    ...(few <= pathsAtMost ? [box("paths", "Paths")] : []),
    ...(few <= namesAtMost ? [box("names", "Names")] : []),
  ];
}

function about(picture: SpacePicture): HTMLElement {
  const { flat, run } = { flat: picture.flat, run: picture.world.data };
  const made = run?.bodies.some((b) => b.from === "inertia" && b.kind === "box");
  return note(
    `${new Set(picture.motion.part).size > 1 ? "Colours are subsystems. " : ""}Drag ${flat ? "moves" : "turns, with shift it moves"}; click the picture and turn the wheel, or pinch, to magnify. ` +
      "A click on a curve goes to that time." +
      (made ? ` ${flat ? "Bars" : "Boxes"} stand for bodies without a shape: they have the mass and inertia of the body.` : ""),
  );
}

/// `beside`: curves under the same clock.
export function spaceMotion(run: Run, motion: Space, window: TimeWindow, beside: HTMLElement | null): Node[] {
  const t = values(motion.t);
  const picture = new SpacePicture(run, motion, t);
  const canvas = sheet(picture.words(), (width) => Math.min(Math.max((beside ? 0.92 : 0.62) * width, 300), 620), (pen, w, h) => picture.paint(pen, w, h, film.frame()));
  const film = player(t, (frame) => {
    canvas.redraw();
    window.show(t[frame]);
  });
  window.onSeek((time) => film.go(nearest(t, time)));
  canvas.element.classList.add("grab");
  canvas.element.addEventListener("keydown", (event) => void film.key(event));
  attachCamera(canvas.element, picture.camera, { turns: !picture.flat, changed: canvas.redraw });
  const reset = () => {
    Object.assign(picture.camera, picture.flat ? planeCamera() : spaceCamera());
    canvas.redraw();
  };
  const save = () => canvas.element.toBlob((png) => png && download(`${fileName(run.name)}_motion.png`, png), "image/png");
  film.element.append(
    ...switches(picture, canvas.redraw),
    el("button", { type: "button", onclick: reset }, "Reset view"),
    el("button", { type: "button", "aria-label": "Save the picture as PNG", onclick: save }, "PNG"),
  );
  const read = el("output", { class: "position", "aria-live": "off" });
  canvas.element.addEventListener("pointermove", (event) => {
    read.textContent = picture.tell(picture.scene.bodyAt(event.offsetX, event.offsetY), film.frame());
  });
  const caption = el("figcaption", {}, el("span", { class: "title" }, picture.flat ? "Bodies in the plane" : "Bodies in space"), read);
  const figure = el("figure", { class: "motion" }, caption, canvas.element);
  return [el("div", { class: beside ? "stage" : "" }, figure, beside), film.element, about(picture)];
}
