// Light and dark: as the system says until somebody chooses, and the colours of both.

export type Theme = "light" | "dark";

const key = "cosimo-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

// Pages opened from disk may not be allowed to remember.
function remembered(): Theme | null {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Chosen for as long as the page is open.
  }
}

let chosen = remembered();
let printing = false; // on white paper
export const theme = (): Theme => (printing ? "light" : (chosen ?? (dark.matches ? "dark" : "light")));

function apply(): void {
  document.documentElement.dataset.theme = theme();
  cache.clear();
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  apply();
  dark.addEventListener("change", () => chosen ?? apply());
  for (const event of ["beforeprint", "afterprint"]) {
    window.addEventListener(event, () => {
      printing = event === "beforeprint";
      apply();
    });
  }
}

export function switchTheme(): void {
  chosen = theme() === "dark" ? "light" : "dark";
  remember(chosen);
  apply();
}

/// Called after every change, to draw anew.
export const onTheme = (listener: () => void): void => void listeners.add(listener);

const cache = new Map<string, string>();

/// A colour of the style sheet: css("--line").
export function css(name: string): string {
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    cache.set(name, value);
  }
  return value;
}

/// Colours after Okabe and Ito, told apart by colour-blind eyes; they repeat after eight.
export const paletteSize = 8;
export const color = (index: number): string => css(`--c${((index % paletteSize) + paletteSize) % paletteSize}`);

/// Subsystems count from 1; 0 is not known.
export const partColor = (part: number): string => (part > 0 ? color(part - 1) : css("--soft"));
