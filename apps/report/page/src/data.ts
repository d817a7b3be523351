// What a page is made from: the JSON inside <script id="cosimo-data">, written by C++ and by nobody else.
//
// `kind: "runs"` is report.html of one run or of several to compare (apps/report/run_page.cpp writes it);
// `kind: "series"` is the page of a series of runs (apps/report/series_page.cpp);
// `kind: "study"` is the page of one study and `kind: "studies"` the overview of several (studies/).
// Every number is one of results.h5, timing.h5 or summary.json, or counted from them; what is missing in a
// damaged or unfinished folder is null here, and a remark says so.

/// Numbers: written out when there are few, else base64 of little-endian values.
export type Numbers = number[] | { f64: string } | { f32: string } | { i32: string } | { u8: string };

/// A course. Long ones are thinned without losing extremes: of every stretch the first smallest and the first
/// largest value are kept, with their times. Thinned to nothing more than `of` says.
export interface Series {
  t: Numbers;
  y: Numbers;
  of: number; // values before thinning
}

export interface Column {
  name: string; // coordinate: "x", "y", "phi", "qw"
  position: Series;
  velocity: Series;
}

export interface Body {
  label: number; // number from 1
  name: string; // "17", or the name in the file
  part: number; // subsystem, from 1; 0: not known
  columns: Column[];
}

/// The model in motion: some of the output times. `t` of a frame is a time of results.h5.
export type Motion =
  | {
      // One coordinate per body: displacement over body number. Neighbours are drawn together where there are
      // many: `low` and `high` are the smallest and largest displacement of each group in each frame.
      kind: "chain";
      t: Numbers; // frames
      first: number[]; // label of the first body of each group
      last: number[];
      part: number[]; // of each group
      low: Numbers; // frames x groups
      high: Numbers;
    }
  | {
      // Bodies in the plane or in space.
      kind: "space";
      t: Numbers;
      names: string[]; // of the bodies drawn
      labels: number[];
      part: number[];
      dimensions: 2 | 3;
      place: Numbers; // frames x bodies x dimensions
      turn: Numbers | null; // frames x bodies x 4, quaternion w x y z; null: nothing turns
      links: number[]; // pairs: positions in `names` of bodies that an element or joint joins; -1: the ground
    };

/// What bodies look like and what is between them: /scene of results.h5 (src/multibody/scene.hpp).
export interface SceneEnd {
  body: number; // label, 0: the ground
  at: number[]; // from the place of the body, along its axes
}
export interface SceneBody {
  body: number;
  kind: "box" | "sphere" | "cylinder" | "tube" | "capsule" | "wheel" | "mesh" | "point";
  from: "shape" | "inertia";
  at: number[];
  turn: number[]; // w, x, y, z
  edges?: number[];
  radius?: number;
  inner?: number;
  length?: number;
  points?: number[];
  triangles?: number[];
}
export interface SceneLink {
  name: string;
  kind: string; // "spring", "bushing", "contact", "revolute", ...
  from: SceneEnd;
  to: SceneEnd;
  axis?: number[]; // along the axes of `from`
  radius?: number; // contact
  road?: number; // position in `roads`
}
export interface SceneRoad {
  up: 1 | 2;
  height: number;
  waves: number[]; // amplitude, wavelength, phase of each
}
/// Fixed to the ground, placed in space; a plane is solid below its own z axis.
export interface SceneFixed {
  name: string;
  kind: Exclude<SceneBody["kind"], "wheel" | "point"> | "plane";
  at: number[];
  turn: number[];
  edges?: number[];
  radius?: number;
  inner?: number;
  length?: number;
  points?: number[];
  triangles?: number[];
}
export interface SceneData {
  format: 1;
  gravity: number[];
  bodies: SceneBody[];
  elements: SceneLink[];
  joints: SceneLink[];
  roads: SceneRoad[];
  ground?: SceneFixed[];
}

/// Attempted macro steps.
export interface Steps {
  of: number; // attempted
  accepted: number;
  rejected: number;
  H: Series; // of accepted steps, over the time where each started
  kappa: Series;
  layers: Series; // widest overlap; all zero without overlap
  error: Series; // weighted: 1 is the tolerance
  iterations: Series;
  // Rejected steps, at most a few thousand, those with the largest errors.
  rejected_marks: { t: Numbers; H: Numbers; error: Numbers; cut: Numbers }; // cut: position in `cuts`, -1
  error_recorded: boolean; // false: fixed steps without an estimator
}

export interface Cut {
  element: number;
  name: string;
  bodies: [number, number];
  parts: [number, number]; // subsystems it joins, from 1; 0: not known
  largest_error: number | null; // in accepted steps
  layers: number | null;
  decided: number; // steps in which its error was the largest
  rejected: number; // of these, rejected
}

export interface Coupling {
  cut: number; // position in `cuts`
  name: string; // of the variable: "force", "F1 of bushing front"
  u: Series; // at the accepted macro points
  // A stretch of successive macro points, for the approximation polynomials: u[i] at t[i], reached by a step
  // of degree kappa[i].
  excerpt: { t: Numbers; u: Numbers; kappa: Numbers } | null;
}

export interface Timing {
  t: Numbers; // start of the first macro step of each row
  count: number[]; // macro steps in the row
  first: number[]; // subsystems, from 1: the first of each group
  last: number[];
  solve: Numbers; // rows x groups, seconds: the largest of the group
  slowest: number[]; // of each row: the subsystem, from 1
  micro: Numbers | null; // rows x groups, accepted micro steps: the largest of the group
}

export interface Run {
  name: string; // of the folder
  remarks: string[]; // what is damaged or missing, in sentences
  notes: string[]; // what is thinned or left out because the page would be too large
  summary: Record<string, unknown> | null; // summary.json as it is
  scenario: string | null; // scenario.effective.yaml as it is
  rows: number; // output times
  bodies_total: number; // recorded
  bodies: Body[]; // those in the page; `remarks` tells when some are left out and how to see them
  motion: Motion | null;
  scene: SceneData | null;
  tables: { name: string; columns: { name: string; series: Series }[] }[]; // energies, reactions, ...
  steps: Steps | null;
  cuts_total: number;
  cuts: Cut[];
  couplings: Coupling[];
  // How the page may draw approximation polynomials: through the last kappa + 1 points before the step
  // ("extrapolation"), through its end and the kappa points before ("interpolation"), or not ("none": other
  // predictors, overlap, uncut).
  polynomial: "extrapolation" | "interpolation" | "none";
  timing: Timing | null;
}

export interface RunsPage {
  kind: "runs";
  format: 1;
  version: string;
  runs: Run[];
  // At the output times that both runs have: value of run `run` minus value of the first run.
  differences: { run: number; body: number; column: string; position: Series; velocity: Series }[];
  // NRMSE over the output times and bodies that both runs have.
  comparisons: { a: number; reference: number; position: number; velocity: number; both: number; rows: number; bodies: number; weighed?: string }[];
}

// ---- Studies

export type Verdict = "agrees" | "differs" | "not shown";

export interface Statement {
  published: string; // what the document says
  where: string; // "5.1, Figure 5.2 left"
  ours: string; // our number, in words
  verdict: Verdict;
  reason: string; // why it differs or is not shown; may explain agreement
  timed: boolean; // depends on a clock: another run gives other numbers
}

export interface Figure {
  id: string; // also the name of its data file: data/<id>.csv
  title: string;
  where: string;
  note: string;
  timed: boolean;
  x: { label: string; log: boolean };
  y: { label: string; log: boolean };
  series: { name: string; style: "line" | "points" | "steps"; x: number[]; y: (number | null)[] }[];
}

export interface Table {
  id: string;
  title: string;
  note: string;
  timed: boolean;
  columns: string[];
  rows: (string | number)[][];
}

export interface StudyPage {
  kind: "study";
  format: 1;
  version: string;
  name: string;
  title: string;
  source: string; // sections of the documents
  about: string[]; // paragraphs
  settings: string[]; // what was run, and what had to be chosen because the source is silent
  scale: number;
  seed: number;
  failed: string; // why it ended early; empty: it did not
  statements: Statement[];
  figures: Figure[];
  tables: Table[];
}

export interface StudiesPage {
  kind: "studies";
  format: 1;
  version: string;
  scale: number;
  studies: { name: string; title: string; page: string; statements: Statement[]; failed: string }[];
}

// ---- Series of runs

/// One value per variant: numbers, or texts where one is no number.
export interface SeriesColumn {
  name: string;
  number: Numbers | null; // NaN: none
  text: string[] | null;
}

export interface SeriesPage {
  kind: "series";
  format: 1;
  version: string;
  name: string; // of the folder
  file: string;
  notes: string[]; // what is thinned or left out
  variants: number;
  state: Numbers; // of each: 0 waiting, 1 running, 2 done, 3 failed
  failures: { variant: number; fault: string; message: string; log: string }[]; // variants count from 0
  remarks: { variant: number; message: string }[]; // about others: measures without a value
  runs: { variant: number; page: string }[]; // those kept
  parameters: SeriesColumn[];
  measures: SeriesColumn[];
  wall: Numbers; // seconds; NaN: not ended
  curves: { name: string; curves: { variant: number; series: Series }[] }[];
}

export type PageData = RunsPage | StudyPage | StudiesPage | SeriesPage;
