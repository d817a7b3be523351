// Sections are built when they come near the screen, so that large pages open at once. One that fails says
// why, and the others go on.
import { el, put, replace } from "./dom";

export interface Section {
  id: string;
  title: string;
  about: string; // one sentence
  height: number; // pixels to keep free until it is built
  build: () => Node[];
}

interface Built {
  section: Section;
  element: HTMLElement;
  body: HTMLElement;
  done: boolean;
}

function build(b: Built): void {
  if (b.done) return;
  b.done = true;
  try {
    replace(b.body, ...b.section.build());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    replace(b.body, el("p", { class: "failure", role: "alert" }, `This part cannot be shown: ${reason}`));
  }
  b.body.style.minHeight = "";
}

export interface Sections {
  elements: HTMLElement[];
  links: HTMLElement; // navigation
}

export function sections(list: Section[]): Sections {
  const built = list.map((section): Built => {
    const body = el("div", { class: "body" });
    body.style.minHeight = `${section.height}px`;
    const element = el(
      "section",
      { id: section.id, "aria-labelledby": `${section.id}-title` },
      el("h2", { id: `${section.id}-title`, tabindex: "-1" }, section.title),
      section.about ? el("p", { class: "about" }, section.about) : null,
      body,
    );
    return { section, element, body, done: false };
  });
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        const found = built.find((b) => b.element === entry.target);
        if (found) build(found);
      }
    },
    { rootMargin: "300px" },
  );
  if (built.length) build(built[0]); // on every screen
  for (const b of built) observer.observe(b.element);
  window.addEventListener("beforeprint", () => built.forEach(build));
  return { elements: built.map((b) => b.element), links: navigation(built) };
}

// What lies above the target is built first: otherwise it would grow on the way and push the target off.
function navigation(built: Built[]): HTMLElement {
  const list = el("ul");
  const links = built.map((b, i) => {
    const jump = (event: Event) => {
      event.preventDefault();
      built.slice(0, i + 1).forEach(build);
      b.element.scrollIntoView();
      b.element.querySelector("h2")?.focus({ preventScroll: true });
    };
    const link = el("a", { href: `#${b.section.id}`, onclick: jump }, b.section.title);
    put(list, el("li", {}, link));
    return link;
  });
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const i = built.findIndex((b) => b.element === entry.target);
        links[i].classList.toggle("seen", entry.isIntersecting);
      }
    },
    { rootMargin: "-30% 0px -60% 0px" },
  );
  for (const b of built) seen.observe(b.element);
  return el("nav", { "aria-label": "Parts of this page" }, list);
}
