// Bodies in the plane or in space, with their links, their paths and, where they turn, their axes.
import { sheet } from "../base/canvas";
import { el, note } from "../base/dom";
import { count, num, plural } from "../base/format";
import { values } from "../base/numbers";
import { css, partColor } from "../base/theme";
import type { Motion } from "../data";
import { attachCamera, type Camera, planeCamera, spaceCamera } from "./camera";
import { player } from "./player";
import { pathsAtMost, Scene } from "./scene";

type Space = Extract<Motion, { kind: "space" }>;

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

function dots(pen: CanvasRenderingContext2D, s: Scene, m: Space, grounded: Set<number>): void {
  const radius = s.bodies > 2000 ? 1.5 : s.bodies > 400 ? 2.5 : s.bodies > 60 ? 3.5 : 6;
  for (const b of s.backToFront()) {
    pen.fillStyle = partColor(m.part[b]);
    pen.beginPath();
    pen.arc(s.x[b], s.y[b], radius, 0, 2 * Math.PI);
    pen.fill();
    if (grounded.has(b)) {
      pen.strokeStyle = css("--axis");
      pen.lineWidth = 1.5;
      pen.strokeRect(s.x[b] - radius - 3, s.y[b] - radius - 3, 2 * radius + 6, 2 * radius + 6);
    }
  }
  if (s.bodies > 12) return;
  pen.fillStyle = css("--axis");
  pen.textBaseline = "bottom";
  pen.textAlign = "left";
  for (let b = 0; b < s.bodies; ++b) pen.fillText(m.names[b] ?? "", s.x[b] + radius + 4, s.y[b] - radius);
}

function groundedBodies(m: Space): Set<number> {
  const found = new Set<number>();
  for (let k = 0; k + 1 < m.links.length; k += 2) {
    if (m.links[k] < 0 && m.links[k + 1] >= 0) found.add(m.links[k + 1]);
    if (m.links[k + 1] < 0 && m.links[k] >= 0) found.add(m.links[k]);
  }
  return found;
}

export function spaceMotion(motion: Space): Node[] {
  const t = values(motion.t);
  const scene = new Scene(motion, t.length);
  const grounded = groundedBodies(motion);
  const flat = motion.dimensions === 2;
  let follow = scene.travels();
  const camera: Camera = flat ? planeCamera() : spaceCamera();
  const paint = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    const frame = film.frame();
    scene.project(camera, width, height, frame, follow);
    scene.box(pen);
    if (motion.names.length <= pathsAtMost) scene.paths(pen, frame, (b) => partColor(motion.part[b]));
    links(pen, scene, motion);
    if (motion.turn && motion.names.length <= 300) scene.turns(pen, frame);
    dots(pen, scene, motion, grounded);
    scene.triad(pen, height, flat);
  };
  const words =
    `${plural(motion.names.length, "body", "bodies")} in ${flat ? "the plane" : "space"} at ${count(t.length)} times from ${num(t[0])} to ` +
    `${num(t[t.length - 1])}; ${scene.extent()}. Space plays, arrows ${flat ? "move" : "turn"}, plus and minus magnify.`;
  const canvas = sheet(words, (width) => Math.min(Math.max(0.6 * width, 300), 560), paint);
  const film = player(t, canvas.redraw);
  canvas.element.classList.add("grab");
  canvas.element.addEventListener("keydown", (event) => void film.key(event));
  attachCamera(canvas.element, camera, { turns: !flat, changed: canvas.redraw });
  const reset = () => {
    Object.assign(camera, flat ? planeCamera() : spaceCamera());
    canvas.redraw();
  };
  const box: HTMLInputElement = el("input", {
    type: "checkbox",
    checked: follow,
    onchange: () => {
      follow = box.checked;
      canvas.redraw();
    },
  });
  film.element.append(el("label", { class: "field" }, box, "Follow"), el("button", { type: "button", onclick: reset }, "Reset view"));
  const read = el("output", { class: "position", "aria-live": "off" });
  canvas.element.addEventListener("pointermove", (event) => {
    const b = scene.bodyAt(event.offsetX, event.offsetY);
    const part = motion.part[b] > 0 ? `, subsystem ${motion.part[b]}` : "";
    read.textContent = b < 0 ? "" : `${motion.names[b]}${part}: ${scene.where(film.frame(), b)}`;
  });
  const caption = el("figcaption", {}, el("span", { class: "title" }, flat ? "Bodies in the plane" : "Bodies in space"), read);
  return [
    el("figure", { class: "motion" }, caption, canvas.element, film.element),
    note(
      `Colours are subsystems${grounded.size ? "; a square marks bodies joined to the ground" : ""}. Drag ` +
        `${flat ? "moves" : "turns, with shift it moves"}; click the picture and turn the wheel, or pinch, to magnify.`,
    ),
  ];
}
