// Reads the data of the page and shows the page that is for them.
import { el, replace } from "./base/dom";
import { startTheme } from "./base/theme";
import type { PageData } from "./data";
import { runsPage } from "./run/page";
import { seriesPage } from "./series/page";
import { studiesPage } from "./study/studies";
import { studyPage } from "./study/study";

function fail(place: Element, reason: unknown): void {
  const text = reason instanceof Error ? reason.message : String(reason);
  replace(
    place,
    el(
      "div",
      { class: "failure", role: "alert" },
      el("p", {}, `This page could not be shown: ${text}`),
      el("p", {}, "The results themselves are in the folder of the run. A page made again with `cosimo report` may help."),
    ),
  );
}

function show(place: Element): void {
  const text = document.getElementById("cosimo-data")?.textContent ?? "";
  const data = JSON.parse(text) as PageData;
  if (data.format !== 1) throw new Error(`its data are of format ${String((data as { format?: unknown }).format)}, this page reads format 1`);
  if (data.kind === "runs") runsPage(place, data);
  else if (data.kind === "study") studyPage(place, data);
  else if (data.kind === "studies") studiesPage(place, data);
  else if (data.kind === "series") seriesPage(place, data);
  else throw new Error("it holds data of an unknown kind");
}

// What goes wrong later, while drawing: the page stays, and says so once.
function warn(reason: string): void {
  if (document.querySelector(".failure.late")) return;
  document.body.prepend(el("p", { class: "failure late", role: "alert" }, `Something on this page could not be drawn: ${reason}`));
}

const place = document.getElementById("page")!;
window.addEventListener("error", (event) => {
  // Browsers say so when pictures of new size are drawn in the next frame only; it is no fault.
  if (!event.message.includes("ResizeObserver")) warn(event.message);
});
try {
  startTheme();
  show(place);
  document.documentElement.dataset.ready = "";
} catch (error) {
  fail(place, error);
}
