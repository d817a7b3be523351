// Elements in one call: el("p", { class: "note" }, "text", el("b", {}, "bold")).

export type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

/// Properties: "on…" is a listener, `class` the class; true an empty attribute; false, null and undefined none.
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, ...children);
  return element;
}

export function put(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.textContent = "";
  put(parent, ...children);
}

/// What a section says instead of a picture.
export const missing = (text: string): HTMLElement => el("p", { class: "missing" }, text);

export const note = (text: string): HTMLElement => el("p", { class: "note" }, text);

/// Head of a table; numbers stand right.
export function tableHead(columns: string[], numeric: (column: number) => boolean): HTMLElement {
  const cells = columns.map((name, i) => el("th", { scope: "col", class: numeric(i) ? "number" : null }, name));
  return el("thead", {}, el("tr", {}, ...cells));
}

let lastId = 0;
export const newId = (stem: string): string => `${stem}-${++lastId}`;

export interface Choice {
  value: string;
  label: string;
}

/// A select with its name in front.
export function select(label: string, choices: Choice[], value: string, change: (value: string) => void): HTMLElement {
  const control = el(
    "select",
    { onchange: () => change(control.value) },
    ...choices.map((c) => el("option", { value: c.value, selected: c.value === value }, c.label)),
  );
  return el("label", { class: "field" }, el("span", {}, label), control);
}

/// One of few, as a row of buttons.
export function segments(label: string, choices: Choice[], value: string, change: (value: string) => void): HTMLElement {
  const buttons = choices.map((c) =>
    el("button", { type: "button", "aria-pressed": c.value === value ? "true" : "false", onclick: () => pick(c.value) }, c.label),
  );
  const pick = (chosen: string) => {
    choices.forEach((c, i) => buttons[i].setAttribute("aria-pressed", c.value === chosen ? "true" : "false"));
    change(chosen);
  };
  return el("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
}
