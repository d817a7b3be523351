// Choosing some of many: a search box over a list of check boxes, and what is chosen as removable tags.
import { el, newId, replace } from "./dom";

export interface Item {
  id: number;
  label: string;
  search: string; // what the search looks at, besides the label
  part?: number; // subsystem: its colour is shown
}

const shownAtMost = 200;

function matches(item: Item, words: string[]): boolean {
  const text = `${item.label} ${item.search}`.toLowerCase();
  return words.every((w) => text.includes(w));
}

export function picker(name: string, items: Item[], chosen: Set<number>, change: () => void): HTMLElement {
  const list = el("div", { class: "list", role: "group", "aria-label": name });
  const tags = el("div", { class: "tags" });
  const input = el("input", { type: "search", id: newId("search"), placeholder: "name or number", oninput: () => fill() });

  const set = (id: number, on: boolean) => {
    if (on) chosen.add(id);
    else chosen.delete(id);
    fillTags();
    change();
  };
  const check = (item: Item) => {
    const box: HTMLInputElement = el("input", { type: "checkbox", checked: chosen.has(item.id), onchange: () => set(item.id, box.checked) });
    const dot = el("span", { class: "dot", "aria-hidden": "true" });
    if (item.part) dot.style.background = `var(--c${(item.part - 1) % 8})`;
    return el("label", {}, box, item.part === undefined ? null : dot, item.label);
  };
  const fill = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = items.filter((i) => matches(i, words));
    const more = found.length - shownAtMost;
    replace(
      list,
      ...found.slice(0, shownAtMost).map(check),
      more > 0 ? el("p", { class: "note" }, `and ${more} more: search for them`) : null,
      found.length ? null : el("p", { class: "note" }, "none of that name"),
    );
  };
  const fillTags = () => {
    const remove = (item: Item) => {
      set(item.id, false);
      fill();
    };
    const tag = (item: Item) =>
      el("button", { type: "button", class: "tag", "aria-label": `Remove ${item.label}`, onclick: () => remove(item) }, `${item.label} ×`);
    replace(tags, ...items.filter((i) => chosen.has(i.id)).map(tag));
  };
  fill();
  fillTags();
  const search = el("label", { class: "field", for: input.id }, el("span", {}, "Search"), input);
  return el("div", { class: "picker" }, el("details", {}, el("summary", {}, name), search, list), tags);
}
