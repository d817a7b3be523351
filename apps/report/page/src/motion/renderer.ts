// The one WebGL renderer of a page. Pictures are drawn by it and copied to the canvas that asked, so that every
// picture of the page is an ordinary one: it prints, can be saved and takes text on top.
import { type Camera, type Scene, WebGLRenderer } from "three";

let known: WebGLRenderer | null | undefined;

/// null: this browser has no WebGL, and pictures are drawn in lines.
export function renderer(): WebGLRenderer | null {
  if (known !== undefined) return known;
  known = null;
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { antialias: true, alpha: true });
    if (context) {
      known = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
      known.setClearColor(0x000000, 0);
    }
  } catch {
    known = null;
  }
  return known;
}

/// Draws into a rectangle of CSS pixels.
export function drawInto(pen: CanvasRenderingContext2D, width: number, height: number, scene: Scene, camera: Camera): void {
  const gl = renderer();
  if (!gl) return;
  const ratio = pen.canvas.width / width;
  gl.setPixelRatio(ratio);
  gl.setSize(width, height, false);
  gl.render(scene, camera);
  pen.drawImage(gl.domElement, 0, 0, width, height);
}
