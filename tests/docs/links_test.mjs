// node links_test.mjs SOURCE: every relative link, anchor and image of the Markdown files leads somewhere.
//
// Looked at: README.md, CHANGELOG.md, docs/ and the READMEs of examples/. Paths of the repository that stand in
// the text as code (`docs/cluster.md`) are links, too.

import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.argv[2]);
const { slugger } = await import(path.join(root, 'docs/site/slug.mjs'));

function markdown(folder) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return markdown(name);
    return entry.name.endsWith('.md') ? [name] : [];
  });
}

const pages = ['README.md', 'CHANGELOG.md', ...markdown('docs'), ...markdown('examples')];
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const without_code = (text) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/^ {4}.*$/gm, '');

const anchors = new Map();
function anchors_of(file) {
  if (!anchors.has(file)) {
    const name = slugger();
    const headings = [...without_code(read(file)).matchAll(/^#{1,6} +(.+)$/gm)];
    // What a heading says, without its markup.
    const words = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    anchors.set(file, new Set(headings.map(([, text]) => name(words(text)))));
  }
  return anchors.get(file);
}

let faults = 0;
let links = 0;
const fault = (page, text) => {
  ++faults;
  console.log(`FAILED: ${page}: ${text}`);
};

for (const page of pages) {
  const text = without_code(read(page));
  const plain = text.replace(/`[^`\n]*`/g, '');
  for (const [, target] of plain.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    ++links;
    const [file, anchor] = target.split('#');
    const to = file === '' ? page : path.posix.normalize(path.posix.join(path.posix.dirname(page), file));
    if (to.startsWith('..') || !fs.existsSync(path.join(root, to))) fault(page, `${target} is not there`);
    else if (anchor !== undefined && !anchors_of(to).has(anchor)) fault(page, `${to} has no #${anchor}`);
  }
  for (const [, target] of text.matchAll(/`((?:docs|examples|tests|tools|bench)\/[\w./-]+\.(?:md|yaml|sh|mjs|hpp|cpp|c))`/g)) {
    ++links;
    if (!fs.existsSync(path.join(root, target))) fault(page, `${target} is not there`);
  }
}
console.log(`${pages.length} files, ${links} links, ${faults} faults`);
process.exitCode = links > 0 && faults === 0 ? 0 : 1;
