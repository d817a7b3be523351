// The motion in solids: bodies, what is between them, the ground, forces, light. Drawn by three.js with the
// camera of motion/scene.ts, so that what is drawn on top in two dimensions fits.
import { AmbientLight, DirectionalLight, OrthographicCamera, Scene as ThreeScene } from "three";

import { css } from "../base/theme";
import { Arrows } from "./arrows";
import { Bodies } from "./bodies";
import { basis } from "./crowd";
import { type Force } from "./forces";
import { Ground } from "./ground";
import { Links } from "./links";
import { drawInto, renderer } from "./renderer";
import type { Scene } from "./scene";
import type { World } from "./world";

export interface Solids {
  draw: (pen: CanvasRenderingContext2D, width: number, height: number, frame: number, t: number, forces: boolean) => void;
}

/// null: this browser cannot.
export function solids(world: World, view: Scene, forces: Force[], flat: boolean, colorOf: (body: number) => string): Solids | null {
  if (!renderer()) return null;
  const size = view.pictured();
  const stage = new ThreeScene();
  const bodies = new Bodies(world, (world.bodies > 200 ? 0.006 : 0.018) * size, flat, colorOf);
  const links = new Links(world, size, flat);
  const ground = new Ground(world, view.extentOf(), size, flat);
  const arrows = new Arrows(world, forces, size);
  const sun = new DirectionalLight(0xffffff, 2.1);
  stage.add(bodies.group, links.group, ground.group, arrows.group, new AmbientLight(0xffffff, 1.25), sun, sun.target);
  const camera = new OrthographicCamera();
  camera.matrixAutoUpdate = false;
  let painted = "";
  const paint = () => {
    const theme = css("--card");
    if (painted === theme) return;
    painted = theme;
    bodies.paint();
    links.paint({ spring: css("--spring"), rod: css("--soft"), joint: css("--joint"), ground: css("--joint") });
    ground.paint(css("--road"), css("--road-line"));
    arrows.paint(css("--force"));
  };
  const look = (width: number, height: number) => {
    const { axes, center, scale, origin } = view.mapping();
    const far = 40 * size;
    const [right, up, eye] = axes;
    camera.matrix.copy(basis(right, up, eye)).setPosition(...(center.map((c, k) => c + far * eye[k]) as [number, number, number]));
    camera.matrixWorldNeedsUpdate = true;
    Object.assign(camera, { left: -origin[0] / scale, right: (width - origin[0]) / scale, top: origin[1] / scale, bottom: (origin[1] - height) / scale });
    Object.assign(camera, { near: 0, far: 2 * far + 4 * view.whole() });
    camera.updateProjectionMatrix();
    // From over the left shoulder.
    sun.position.set(...(eye.map((e, k) => e + 0.9 * up[k] - 0.6 * right[k]) as [number, number, number]));
  };
  return {
    draw: (pen, width, height, frame, t, withForces) => {
      paint();
      look(width, height);
      bodies.pose(frame);
      links.pose(frame);
      arrows.group.visible = withForces;
      if (withForces) arrows.pose(frame, t);
      drawInto(pen, width, height, stage, camera);
    },
  };
}
