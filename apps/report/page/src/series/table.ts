// All variants as a table that sorts by any column; failed ones come first until somebody asks for another order.
import { el, note, replace } from "../base/dom";
import { count } from "../base/format";
import { sorted } from "./order";
import { type Column, label, stateWords, type Variants } from "./variants";

const shownAtOnce = 200;
const looks = ["", "warn", "good", "bad"];

interface Head {
  name: string;
  numeric: boolean;
  cell: (variant: number) => Node | string;
  key: (variant: number) => number;
}

function heads(v: Variants): Head[] {
  const of = (c: Column): Head => ({ name: c.name, numeric: !c.words, cell: (i) => label(c, c.values[i]), key: (i) => c.values[i] });
  const state = (i: number) => el("span", { class: `pill ${looks[v.state[i]]}` }, stateWords[v.state[i]] ?? "unknown");
  const run = (i: number): Node | string => (v.pages.has(i) ? el("a", { href: v.pages.get(i)! }, "run") : "");
  return [
    { name: "Variant", numeric: true, cell: (i) => String(i + 1), key: (i) => i },
    { name: "State", numeric: false, cell: state, key: (i) => -v.state[i] },
    ...[...v.parameters, ...v.measures, v.wall].map(of),
    ...(v.messages.size ? [{ name: "Message", numeric: false, cell: (i: number) => v.messages.get(i) ?? "", key: (i: number) => (v.messages.has(i) ? 0 : 1) }] : []),
    ...(v.pages.size ? [{ name: "Results", numeric: false, cell: run, key: (i: number) => (v.pages.has(i) ? 0 : 1) }] : []),
  ];
}

export function variantTable(v: Variants): Node[] {
  const columns = heads(v);
  let by = 1;
  let down = false;
  let shown = shownAtOnce;
  let order = sorted(v.count, columns[by].key, down);
  const body = el("tbody");
  const below = el("div");
  const said = el("p", { class: "hidden", "aria-live": "polite" });
  const rows = new Map<number, HTMLElement>();

  const row = (i: number): HTMLElement => {
    const cells = columns.map((c) => el("td", { class: c.numeric ? "number" : null }, c.cell(i)));
    const made = el("tr", { class: v.failed(i) ? "failed" : null, onpointerenter: () => v.choose(i) }, ...cells);
    rows.set(i, made);
    return made;
  };
  const mark = () => {
    for (const [i, element] of rows) element.classList.toggle("chosen", i === v.chosen);
  };
  const fill = () => {
    rows.clear();
    const kept = order.filter((i) => v.kept(i));
    replace(body, ...kept.slice(0, shown).map(row));
    const rest = kept.length - shown;
    const more = () => {
      shown += 5 * shownAtOnce;
      fill();
    };
    replace(
      below,
      rest > 0 ? el("button", { type: "button", onclick: more }, `Show more: ${count(rest)} are left`) : null,
      kept.length < v.count ? note(`${count(kept.length)} of ${count(v.count)} variants are within the brushes.`) : null,
    );
    mark();
  };
  const buttons = columns.map((c, k) => {
    const button = el("button", { type: "button", class: "sort", onclick: () => sort(k) }, c.name);
    return el("th", { scope: "col", class: c.numeric ? "number" : null }, button);
  });
  const tellOrder = () => buttons.forEach((b, k) => (k === by ? b.setAttribute("aria-sort", down ? "descending" : "ascending") : b.removeAttribute("aria-sort")));
  const sort = (k: number) => {
    down = k === by ? !down : false;
    by = k;
    order = sorted(v.count, columns[by].key, down);
    shown = shownAtOnce;
    tellOrder();
    fill();
    said.textContent = `Sorted by ${columns[k].name}, ${down ? "descending" : "ascending"}`;
  };
  tellOrder();
  fill();
  let kept = v.keptCount;
  v.listen(() => {
    if (kept === v.keptCount) return mark();
    kept = v.keptCount;
    fill();
  });
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...buttons)), body);
  return [el("div", { class: "scroll limited", tabindex: "0", role: "group", "aria-label": "Table of variants" }, table), below, said];
}
