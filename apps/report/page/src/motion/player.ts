// Play, pause, scrub. Only recorded output times are shown, none between; nothing moves unasked.
import { el, select } from "../base/dom";
import { num } from "../base/format";
import type { Values } from "../base/numbers";

export interface Player {
  element: HTMLElement;
  frame: () => number;
  go: (frame: number) => void;
  key: (event: KeyboardEvent) => boolean; // space, arrows with , and ., Home, End
}

const wholeFilm = 10; // seconds at normal speed

/// `first`: the picture to begin with; playing starts with the film nevertheless.
export function player(t: Values, show: (frame: number) => void, first = 0): Player {
  const last = t.length - 1;
  let frame = 0;
  let speed = 1;
  let playing = 0; // handle of the next picture; 0: paused
  let untouched = false; // still at the picture that was chosen to begin with
  let since = 0; // when the film would have begun
  const button = el("button", { type: "button", class: "play", onclick: () => (playing ? pause() : play()) });
  const bar = el("input", { type: "range", min: "0", max: String(last), value: "0", step: "1", "aria-label": "Time", oninput: () => scrub() });
  const clock = el("output", { class: "clock", "aria-live": "off" });
  const label = (text: string, name: string) => {
    button.textContent = text;
    button.setAttribute("aria-label", name);
  };
  const go = (to: number) => {
    untouched = false;
    frame = Math.min(Math.max(Math.round(to), 0), last);
    bar.value = String(frame);
    bar.setAttribute("aria-valuetext", `t = ${num(t[frame])}`);
    clock.textContent = `t = ${num(t[frame])}`;
    show(frame);
  };
  const pause = () => {
    cancelAnimationFrame(playing);
    playing = 0;
    label("▶", "Play");
  };
  const duration = () => (1000 * wholeFilm) / speed;
  const tick = (now: number) => {
    const share = (now - since) / duration();
    if (share >= 1) {
      go(last);
      return pause();
    }
    const next = Math.floor(share * last);
    if (next !== frame) go(next);
    playing = requestAnimationFrame(tick);
  };
  const play = () => {
    if (frame >= last || untouched) go(0);
    since = performance.now() - (frame / Math.max(last, 1)) * duration();
    label("❚❚", "Pause");
    playing = requestAnimationFrame(tick);
  };
  const scrub = () => {
    if (playing) pause();
    go(Number(bar.value));
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === " ") playing ? pause() : play();
    else if (event.key === "," || event.key === ".") pause(), go(frame + (event.key === "." ? 1 : -1));
    else if (event.key === "Home") pause(), go(0);
    else if (event.key === "End") pause(), go(last);
    else return false;
    event.preventDefault();
    return true;
  };
  label("▶", "Play");
  const speeds = ["0.1", "0.25", "0.5", "1", "2", "4"].map((value) => ({ value, label: `${value} ×` }));
  const setSpeed = (value: string) => {
    const resume = playing !== 0;
    if (resume) pause();
    speed = Number(value);
    if (resume) play();
  };
  const element = el("div", { class: "player" }, button, bar, clock, select("Speed", speeds, "1", setSpeed));
  go(first);
  untouched = true;
  return { element, frame: () => frame, go, key };
}
