// node docs/images/idea.mjs PROGRAM: draws the pictures of docs/idea.md beside this file, but for the last one
// (bench/run light-cone). Numbers come from runs of PROGRAM in a temporary folder; h5dump (Debian: hdf5-tools)
// reads them.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const program = path.resolve(process.argv[2]);
const here = path.dirname(new URL(import.meta.url).pathname);
const examples = path.join(here, '../../examples');

// ---- Runs

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'cosimo-pictures-'));
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));

function run(name, out, ...settings) {
  const sets = settings.flatMap((s) => ['--set', s]);
  const words = ['run', path.join(examples, name), '--quiet', '--csv', '--out', out, ...sets];
  execFileSync(program, words, { cwd: place, stdio: 'inherit' });
}

function dataset(out, name) {
  const words = ['-d', name, '-y', '-w', '1', '-m', '%.17g', path.join(place, out, 'results.h5')];
  const text = execFileSync('h5dump', words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const data = /DATA \{([\s\S]*?)\}/.exec(text)[1];
  return data.split(',').map((x) => x.trim()).filter((x) => x !== '').map((x) => (x === 'TRUE' ? 1 : x === 'FALSE' ? 0 : Number(x)));
}

function table(out) {
  const lines = fs.readFileSync(path.join(place, out, 'results.csv'), 'utf8').trim().split('\n');
  const columns = lines[0].split(',');
  const rows = lines.slice(1).map((line) => line.split(',').map(Number));
  return Object.fromEntries(columns.map((name, i) => [name, rows.map((row) => row[i])]));
}

// ---- Drawing

const style = `
text{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Helvetica,"Liberation Sans",Arial,sans-serif;fill:#24292f;font-size:14.5px}
.bg{fill:#fff}.title{font-size:21px;font-weight:600}.note,.tick{fill:#57606a;font-size:13.5px}.math{font-family:"Latin Modern Math","STIX Two Text",Cambria,Georgia,"Times New Roman",serif;font-style:italic;font-size:18px}
.up{font-style:normal}.mid{text-anchor:middle}.end{text-anchor:end}
.ink{stroke:#3a424a}.soft{stroke:#8c96a0}.grid{stroke:#e4e8ec}.fillsoft{fill:#8c96a0}.body{fill:#c6cdd5;stroke:#8c96a0}.wash{fill:#f1f4f7}
path,line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}circle,rect{stroke-width:1.4}
.bold{stroke-width:2.6}.thin{stroke-width:1}.dash{stroke-dasharray:4 5}.bad{stroke:#d1242f}.tbad{fill:#d1242f}.fbad{fill:#d1242f}
.s0{stroke:#0072b2}.s1{stroke:#00936a}.s2{stroke:#dc8a00}.f0{fill:#0072b2}.f1{fill:#00936a}.f2{fill:#dc8a00}.none{stroke:none}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.bg{fill:#0f1318}.note,.tick{fill:#9da7b3}
.ink{stroke:#d4dbe3}.soft{stroke:#6b7683}.grid{stroke:#232a33}.fillsoft{fill:#6b7683}.body{fill:#3b4550;stroke:#6b7683}.wash{fill:#171d25}
.bad{stroke:#ff6a69}.tbad,.fbad{fill:#ff6a69}
.s0{stroke:#3d9be0}.s1{stroke:#21c08f}.s2{stroke:#f5a623}.f0{fill:#3d9be0}.f1{fill:#21c08f}.f2{fill:#f5a623}}
`;

const n = (x) => String(Number(x.toFixed(2)));
const text = (x, y, kind, words) => `<text x="${n(x)}" y="${n(y)}" class="${kind}">${words}</text>`;
const line = (x1, y1, x2, y2, kind) => `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" class="${kind}"/>`;
const disc = (x, y, r, kind) => `<circle cx="${n(x)}" cy="${n(y)}" r="${r}" class="${kind}"/>`;
const curve = (points, kind) => `<path d="M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}" class="${kind}"/>`;
const box = (x, y, w, h, kind, r = 4) => `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${r}" class="${kind}"/>`;

function arrow(x1, x2, y, kind) {
  const d = Math.sign(x2 - x1) * 8;
  return line(x1, y, x2, y, `${kind} bold`) + curve([[x2 - d, y - 5], [x2, y], [x2 - d, y + 5]], `${kind} bold`);
}

function save(name, width, height, title, alternative, ...parts) {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title><desc>${alternative}</desc>
<style>${style}</style>
<rect class="bg" width="${width}" height="${height}"/>`;
  fs.writeFileSync(path.join(here, name), `${head}\n${parts.flat(9).join('\n')}\n</svg>\n`);
}

// ---- 1. The cut

function spring(x1, x2, y, kind) {
  const points = [[x1, y], [x1 + 6, y]];
  const turns = 6;
  for (let i = 0; i < turns; ++i) points.push([x1 + 6 + ((x2 - x1 - 12) * (i + 0.5)) / turns, y + (i % 2 ? 6 : -6)]);
  return curve([...points, [x2 - 6, y], [x2, y]], kind);
}

const wall = (x, y, side) => [
  line(x, y - 24, x, y + 24, 'soft bold'),
  [-20, -8, 4, 16].map((dy) => line(x, y + dy, x + 8 * side, y + dy + 8, 'soft thin')),
];

function cut() {
  const count = 12;
  const [left, right] = [70, 930];
  const pitch = (right - left) / (count + 1);
  const whole = Array.from({ length: count }, (_, i) => left + (i + 1) * pitch);
  const parts = [];
  const y = 92;
  parts.push(text(70, 40, 'title', 'One model …'), wall(left, y, -1), wall(right, y, 1));
  for (let i = 0; i <= count; ++i) {
    const from = i === 0 ? left : whole[i - 1] + 12;
    const to = i === count ? right : whole[i] - 12;
    parts.push(spring(from, to, y, 'soft'));
  }
  parts.push(whole.map((x) => disc(x, y, 12, 'body')));

  const low = 240;
  parts.push(text(70, 186, 'title', '… three subsystems'), wall(left, low, -1), wall(right, low, 1));
  const place = (i) => {
    const group = Math.floor(i / 4);
    return left + pitch * (0.84 * (i + 1) + 1.04 * group);
  };
  for (let i = 0; i <= count; ++i) {
    const kind = `s${Math.min(2, Math.floor(i / 4))}`;
    if (i > 0 && i < count && i % 4 === 0) {
      const [a, b] = [place(i - 1), place(i)];
      const middle = (a + b) / 2;
      parts.push(arrow(a + 16, a + 48, low, `s${i / 4 - 1}`), arrow(b - 16, b - 48, low, `s${i / 4}`));
      parts.push(line(middle, low - 44, middle, low + 40, 'soft dash'));
      parts.push(text(a + 32, low - 14, 'math mid', 'u'), text(b - 32, low - 14, 'math mid', '<tspan class="up">−</tspan>u'));
      const top = (whole[i - 1] + whole[i]) / 2;
      parts.push(curve([[top - 7, y - 20], [top + 7, y + 20]], 'bad bold'), text(top, y + 42, 'note mid', 'cut'));
      continue;
    }
    const from = i === 0 ? left : place(i - 1) + 12;
    const to = i === count ? right : place(i) - 12;
    parts.push(spring(from, to, low, kind));
  }
  for (let i = 0; i < count; ++i) parts.push(disc(place(i), low, 12, `f${Math.floor(i / 4)} none`));
  for (const g of [0, 1, 2]) parts.push(text((place(4 * g) + place(4 * g + 3)) / 2, low + 48, 'note mid', `subsystem ${g + 1}`));
  save('idea_cut.svg', 1000, 310, 'A model cut into subsystems', 'A chain of masses between two walls, and the same chain cut at two springs into three coloured subsystems; at each cut the force u of the missing spring acts on both sides.', parts);
}

// ---- 2. Macro and micro steps

function steps() {
  const macro = [0, 0.8, 1.8, 3.1, 4.7, 6.2];
  const micro = [0.26, 0.085, 0.4];
  const [left, right] = [150, 960];
  const X = (t) => left + ((right - left) * t) / macro.at(-1);
  const parts = [text(40, 40, 'title', 'Own micro steps, common macro points')];
  macro.forEach((t, i) => {
    parts.push(line(X(t), 62, X(t), 268, 'ink thin dash'));
    parts.push(text(X(t), 292, 'math mid', `T<tspan dy="4" font-size="12">${i}</tspan>`));
  });
  micro.forEach((h, s) => {
    const y = 76 + 66 * s;
    parts.push(text(40, y + 25, '', `subsystem ${s + 1}`));
    for (let i = 0; i + 1 < macro.length; ++i) {
      const H = macro[i + 1] - macro[i];
      const count = Math.max(1, Math.round(H / h));
      const width = (X(macro[i + 1]) - X(macro[i]) - 12) / count;
      for (let k = 0; k < count; ++k) parts.push(box(X(macro[i]) + 6 + k * width, y, Math.max(1.5, width - 2), 40, `f${s} none`, 3));
    }
  });
  const [a, b] = [X(macro[3]), X(macro[4])];
  parts.push(arrow((a + b) / 2 - 14, a + 4, 312, 'soft'), arrow((a + b) / 2 + 14, b - 4, 312, 'soft'), text((a + b) / 2, 317, 'math mid', 'H'));
  parts.push(text(left, 340, 'note', 'Between macro points all run in parallel and know nothing of each other; at the dashed lines they exchange u.'));
  save('idea_steps.svg', 1000, 360, 'Macro steps and micro steps', 'Three subsystems over simulated time: each divides every macro step into micro steps of its own, a stiff one into many; all meet at the macro points, whose distance H varies.', parts);
}

// ---- 3. Prediction and jump: a real run of examples/m1.yaml

function lagrange(points, t) {
  return points.reduce((sum, [a, u], i) => sum + u * points.reduce((w, [b], j) => (i === j ? w : (w * (t - b)) / (a - b)), 1), 0);
}

function polynomial() {
  const H = 3.2e-3;
  run('m1.yaml', 'cut', 'couple.scheme=explicit', `control={step: ${H}, order: 2}`);
  run('m1.yaml', 'uncut', 'partition=none');
  const exact = table('uncut');
  const c = 5.0e3; // of the element that is cut
  const course = exact.time.map((t, i) => [t, c * (exact.x_2[i] - exact.x_1[i])]);
  const [t, h, u] = ['/steps/t', '/steps/H', '/coupling/u'].map((name) => dataset('cut', name));
  const points = t.map((time, i) => [time + h[i], u[i]]);
  const first = points.findIndex(([time]) => time > 0.030);
  const shown = points.slice(first - 1, first + 9);
  const [begin, end] = [shown[0][0], shown.at(-1)[0] + H / 2];
  const inside = course.filter(([time]) => time >= begin - H / 3 && time <= end);
  const values = [...inside, ...shown].map(([, y]) => y);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const X = (time) => 70 + (880 * (time - begin + H / 3)) / (end - begin + H / 3);
  const Y = (y) => 300 - (200 * (y - low)) / (high - low);
  const parts = [text(40, 40, 'title', 'The force at a cut is predicted, then corrected')];
  parts.push(shown.map(([time]) => line(X(time), 80, X(time), 316, 'grid thin')));
  parts.push(curve(inside.map(([time, y]) => [X(time), Y(y)]), 'soft'));
  for (let i = 0; i + 1 < shown.length; ++i) {
    const at = first - 1 + i;
    const known = points.slice(at - 2, at + 1);
    const [from, to] = [shown[i][0], shown[i + 1][0]];
    const course = Array.from({ length: 25 }, (_, k) => from + ((to - from) * k) / 24);
    parts.push(curve(course.map((time) => [X(time), Y(lagrange(known, time))]), 's0 bold'));
    parts.push(line(X(to), Y(lagrange(known, to)), X(to), Y(shown[i + 1][1]), 'bad bold'));
  }
  parts.push(shown.map(([time, y]) => disc(X(time), Y(y), 4.5, 'f0 none')));
  parts.push(line(70, 338, 94, 338, 's0 bold'), text(102, 343, 'note', 'polynomial of degree 2 that drives both sides'));
  parts.push(line(432, 331, 432, 345, 'bad bold'), text(442, 343, 'note', 'jump at a macro point: the error estimate'));
  parts.push(line(746, 338, 770, 338, 'soft'), text(778, 343, 'note', 'force of the uncut model'));
  parts.push(text(950, 332 - 18, 'tick end', 'time →'));
  save('idea_polynomial.svg', 1000, 362, 'Prediction of a coupling force', 'Coupling force over time from a run of examples/m1.yaml with deliberately long macro steps: parabolas through the last three macro points continue the force over each step; at its end the force is computed anew from the states, and the curve jumps.', parts);
}

// ---- 4. Control: a real run of examples/impulse.yaml

function control() {
  run('impulse.yaml', 'impulse');
  const [t, H, kappa, accepted] = ['/steps/t', '/steps/H', '/steps/kappa', '/steps/accepted'].map((name) => dataset('impulse', name));
  const end = 1.5e-3;
  const X = (time) => 110 + (850 * time) / end;
  const [low, high] = [-9, -6.2];
  const Y = (x) => 290 - (212 * (Math.max(Math.log10(x), low) - low)) / (high - low);
  const K = (k) => 400 - 14 * k;
  const parts = [text(40, 40, 'title', 'The estimate chooses step size and order')];
  for (const [a, b] of [[1.0e-4, 1.1e-3]]) parts.push(box(X(a), 62, X(b) - X(a), 344, 'wash none', 0));
  parts.push(text(X(6.0e-4), 82, 'note mid', 'all cuts are squeezed by 1 MN'));
  for (const e of [-9, -8, -7]) {
    const label = `10<tspan dy="-5" font-size="10">−${-e}</tspan>`;
    parts.push(line(110, Y(10 ** e), 960, Y(10 ** e), 'grid thin'), text(100, Y(10 ** e) + 4, 'tick end', label));
  }
  for (const k of [0, 5]) parts.push(line(110, K(k), 960, K(k), 'grid thin'), text(100, K(k) + 4, 'tick end', String(k)));
  parts.push(text(40, 186, 'math', 'H'), text(40, 370, '', 'order'));
  // Pixel by pixel the smallest and the largest step.
  const course = (value, Y) => {
    const columns = new Map();
    t.forEach((time, i) => {
      if (!accepted[i]) return;
      const x = Math.round(X(time) * 2) / 2;
      const [a, b] = columns.get(x) ?? [Infinity, -Infinity];
      columns.set(x, [Math.min(a, value[i]), Math.max(b, value[i])]);
    });
    return [...columns].flatMap(([x, [a, b]]) => (a === b ? [[x, Y(a)]] : [[x, Y(a)], [x, Y(b)]]));
  };
  parts.push(curve(course(H, Y), 's0'), curve(course(kappa, K), 's1'));
  t.forEach((time, i) => {
    if (!accepted[i]) parts.push(disc(X(time), Y(H[i]), 3.2, 'fbad none'));
  });
  parts.push(disc(112, 459, 3.5, 'fbad none'), text(122, 464, 'note', 'rejected, and repeated shorter'));
  for (const time of [0, 0.5, 1, 1.5]) parts.push(text(X(time * 1e-3), 432, time === 1.5 ? 'tick end' : 'tick mid', time === 0 ? '0' : `${time} ms`));
  save('idea_control.svg', 1000, 482, 'Macro-step control', 'Macro-step size and polynomial order over time from a run of examples/impulse.yaml: when the forces on the cuts set in and let go the step falls by orders of magnitude and the order drops; both recover in between.', parts);
}

cut();
steps();
polynomial();
control();
