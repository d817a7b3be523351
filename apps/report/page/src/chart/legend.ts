// Names of the lines: each a button that switches its line, with the value under the cursor.
import { el } from "../base/dom";
import { num } from "../base/format";
import { color } from "../base/theme";
import type { Line } from "./lines";

export interface Legend {
  element: HTMLElement;
  read: (values: (number | null | undefined)[] | null) => void; // null: the cursor left
}

function swatch(line: Line): HTMLElement {
  const mark = el("span", { class: `swatch ${line.style === "points" ? "dot" : ""}`, "aria-hidden": "true" });
  mark.style.setProperty("--mark", `var(--c${line.color % 8})`);
  if (line.dash) mark.classList.add("dashed");
  return mark;
}

export function legend(lines: Line[], hidden: Set<string>, change: (index: number, show: boolean) => void): Legend {
  const outputs = lines.map(() => el("output", { "aria-live": "off" }));
  const buttons = lines.map((line, i) => {
    const button: HTMLButtonElement = el(
      "button",
      {
        type: "button",
        "aria-pressed": hidden.has(line.name) ? "false" : "true",
        title: `Show or hide ${line.name}`,
        onclick: () => {
          const show = button.getAttribute("aria-pressed") === "false";
          button.setAttribute("aria-pressed", show ? "true" : "false");
          if (show) hidden.delete(line.name);
          else hidden.add(line.name);
          change(i, show);
        },
      },
      swatch(line),
      el("span", {}, line.name),
      outputs[i],
    );
    return button;
  });
  return {
    element: el("div", { class: "legend", role: "group", "aria-label": "Lines" }, ...buttons),
    read: (values) => outputs.forEach((o, i) => (o.textContent = values ? num(values[i]) : "")),
  };
}

export const lineColor = (line: Line): string => color(line.color);
