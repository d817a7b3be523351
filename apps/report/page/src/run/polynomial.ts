// Approximation polynomials of the coupling variables, from the macro points they pass through.
//
// A step from T_N to T_{N+1} of degree kappa: "extrapolation" passes through the kappa + 1 points up to T_N,
// "interpolation" through T_{N+1} and the kappa points before it. An extrapolation jumps at its end, from its own
// value to the one that is found there; an interpolation at its start, where it is of degree zero.
import type { Values } from "../base/numbers";

export type Kind = "extrapolation" | "interpolation";

export interface Piece {
  step: number; // ends at t[step]
  t: number[];
  u: number[];
  jump: { t: number; from: number; to: number };
}

/// Newton's divided differences through (t[k], u[k]).
export function newton(t: number[], u: number[]): (at: number) => number {
  const c = [...u];
  for (let level = 1; level < c.length; ++level) {
    for (let k = c.length - 1; k >= level; --k) c[k] = (c[k] - c[k - 1]) / (t[k] - t[k - level]);
  }
  return (at) => {
    let value = c[c.length - 1];
    for (let k = c.length - 2; k >= 0; --k) value = value * (at - t[k]) + c[k];
    return value;
  };
}

const samples = 24;

/// Pieces of all steps whose points are in the excerpt; the first steps of it lack theirs.
export function pieces(kind: Kind, t: Values, u: Values, kappa: Values): Piece[] {
  const found: Piece[] = [];
  for (let step = 1; step < t.length; ++step) {
    const last = kind === "extrapolation" ? step - 1 : step;
    const first = last - kappa[step];
    if (first < 0 || !(t[step] > t[step - 1])) continue;
    const at = Array.from({ length: last - first + 1 }, (_, k) => t[first + k]);
    const p = newton(at, at.map((_, k) => u[first + k]));
    const times = Array.from({ length: samples + 1 }, (_, k) => t[step - 1] + ((t[step] - t[step - 1]) * k) / samples);
    const course = times.map(p);
    const jump =
      kind === "extrapolation"
        ? { t: t[step], from: course[samples], to: u[step] }
        : { t: t[step - 1], from: u[step - 1], to: course[0] };
    found.push({ step, t: times, u: course, jump });
  }
  return found;
}
