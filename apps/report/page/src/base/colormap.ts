// Colours for values: blue over neutral to orange around zero, and one that grows from the background.

type Rgb = [number, number, number];

function mix(stops: Rgb[], share: number): [number, number, number, number] {
  const at = Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const w = at - i;
  const channel = (k: number) => Math.round(stops[i][k] * (1 - w) + stops[i + 1][k] * w);
  return [channel(0), channel(1), channel(2), 255];
}

const aroundLight: Rgb[] = [[0, 56, 120], [0, 114, 178], [132, 190, 224], [250, 250, 250], [250, 186, 120], [213, 94, 0], [122, 42, 0]];
const aroundDark: Rgb[] = [[168, 220, 255], [86, 180, 233], [24, 84, 128], [22, 26, 32], [128, 62, 14], [240, 138, 56], [255, 214, 170]];

/// -1 to 1.
export const diverging = (share: number, dark: boolean) => mix(dark ? aroundDark : aroundLight, (share + 1) / 2);

const growingLight: Rgb[] = [[247, 249, 252], [188, 214, 235], [92, 155, 204], [22, 92, 154], [6, 38, 84]];
const growingDark: Rgb[] = [[26, 31, 39], [27, 62, 98], [34, 110, 166], [95, 178, 232], [222, 241, 255]];

/// 0 to 1.
export const growing = (share: number, dark: boolean) => mix(dark ? growingDark : growingLight, share);

export const rgb = (c: ArrayLike<number>): string => `rgb(${c[0]} ${c[1]} ${c[2]})`;
