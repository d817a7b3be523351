// What all pages have: head with title and theme switch, navigation, sections, foot.
import { el, replace } from "./dom";
import { type Section, sections } from "./sections";
import { onTheme, switchTheme, theme } from "./theme";

function themeButton(): HTMLElement {
  const button = el("button", { type: "button", class: "theme", onclick: switchTheme });
  const label = () => {
    const other = theme() === "dark" ? "light" : "dark";
    button.textContent = other === "dark" ? "☾" : "☀";
    button.setAttribute("aria-label", `Switch to ${other} colours`);
    button.title = `Switch to ${other} colours`;
  };
  label();
  onTheme(label);
  return button;
}

export interface Head {
  kind: string; // "Run", "Study"
  title: string;
  extra?: Node; // beside the title
  foot: string;
}

export function frame(place: Element, head: Head, list: Section[]): void {
  const parts = sections(list);
  replace(
    place,
    el("a", { class: "skip", href: "#main" }, "Skip to the content"),
    el(
      "header",
      {},
      el("div", { class: "brand", "aria-hidden": "true" }, el("span"), el("span"), el("span")),
      el("p", { class: "kind" }, `Cosimo · ${head.kind}`),
      el("h1", {}, head.title),
      head.extra ?? null,
      themeButton(),
    ),
    el("div", { class: "columns" }, parts.links, el("main", { id: "main", tabindex: "-1" }, ...parts.elements)),
    el("footer", {}, head.foot),
  );
}
