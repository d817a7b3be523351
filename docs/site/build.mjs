// node build.mjs ROOT OUT VERSION: the Markdown files of ROOT/docs as a site in OUT.
//
// Files outside docs/ that a page links to (examples, headers) become pages of their own under source/, so that
// the site is whole without the repository. A link to nowhere, a missing image, an anchor that does not exist and a
// page that no navigation has are errors.

import fs from 'node:fs';
import path from 'node:path';
import { contents, short } from './contents.mjs';
import { escape, highlight } from './highlight.mjs';
import { render } from './markdown.mjs';
import { page } from './page.mjs';

const [root, out, version] = process.argv.slice(2);
const here = path.dirname(new URL(import.meta.url).pathname);
const docs = path.join(root, 'docs');
const faults = [];
const fault = (file, text) => faults.push(`${file}: ${text}`);

/// What becomes of a file or folder of the repository: { address, source, title, html, headings }.
const pages = new Map();
const wanted = [];
const files = new Map(); // images and the like: repository path -> address

const is_page = (source) => /^docs\/(decisions\/)?[^/]+\.md$/.test(source);

function address_of(source) {
  if (is_page(source)) return source.slice('docs/'.length).replace(/\.md$/, '.html');
  return `source/${source}.html`;
}

function image_size(file) {
  if (!file.endsWith('.svg')) return {};
  const size = /<svg[^>]*?width="([\d.]+)"[^>]*?height="([\d.]+)"/.exec(fs.readFileSync(file, 'utf8'));
  return size ? { width: size[1], height: size[2] } : {};
}

const relative = (from, to) => path.posix.relative(path.posix.dirname(from), to) || path.posix.basename(to);

/// Links of `source`, which becomes the page `address`.
function links_of(source, address) {
  const locate = (target) => path.posix.normalize(path.posix.join(path.posix.dirname(source), target));
  return {
    link(href) {
      if (/^[a-z]+:/.test(href)) return href;
      const [target, anchor] = href.split('#');
      const tail = anchor === undefined ? '' : `#${anchor}`;
      if (target === '') {
        wanted.push({ from: source, to: source, anchor });
        return href;
      }
      const to = locate(decodeURI(target)).replace(/\/$/, '');
      if (to.startsWith('..') || !fs.existsSync(path.join(root, to))) {
        fault(source, `links to nowhere: ${href}`);
        return href;
      }
      if (/\.(svg|png|json)$/.test(to) && to.startsWith('docs/')) return relative(address, file(to));
      wanted.push({ from: source, to, anchor });
      add(to);
      return relative(address, address_of(to)) + tail;
    },
    image(src) {
      const to = locate(src);
      const place = path.join(root, to);
      if (!fs.existsSync(place)) {
        fault(source, `there is no image ${src}`);
        return { address: src };
      }
      return { address: relative(address, file(to)), ...image_size(place) };
    },
  };
}

function file(source) {
  if (!files.has(source)) files.set(source, source.startsWith('docs/') ? source.slice(5) : `source/${source}`);
  return files.get(source);
}

function folder_page(source) {
  const address = address_of(source);
  const items = fs
    .readdirSync(path.join(root, source), { withFileTypes: true })
    .filter((e) => !e.name.startsWith('.') && !/\.(so|out|svg|png)$/.test(e.name))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map((e) => {
      const to = `${source}/${e.name}`;
      add(to);
      return `<li><a href="${relative(address, address_of(to))}">${escape(e.name)}${e.isDirectory() ? '/' : ''}</a></li>`;
    });
  return { title: `${source}/`, html: `<h1>${escape(source)}/</h1><ul>${items.join('')}</ul>`, headings: [] };
}

function source_page(source, text) {
  const language = path.extname(source).slice(1) || 'sh';
  const code = highlight(text.replace(/\n$/, ''), language);
  return {
    title: source,
    html: `<h1 class="path">${escape(source)}</h1><div class="code"><pre tabindex="0"><code>${code}</code></pre></div>`,
    headings: [],
  };
}

function add(source) {
  if (pages.has(source)) return;
  const address = address_of(source);
  const made = { source, address };
  pages.set(source, made);
  const place = path.join(root, source);
  if (fs.statSync(place).isDirectory()) {
    Object.assign(made, folder_page(source));
    return;
  }
  const text = fs.readFileSync(place, 'utf8');
  try {
    Object.assign(made, source.endsWith('.md') ? render(text, links_of(source, address)) : source_page(source, text));
  } catch (error) {
    fault(source, error.message);
    Object.assign(made, source_page(source, text));
  }
}

// --- All pages, and everything that they link to.

const listed = contents.flatMap((group) => group.pages.map((name) => `docs/${name}.md`));
const decisions = fs
  .readdirSync(path.join(docs, 'decisions'))
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => `docs/decisions/${name}`);
for (const source of listed) {
  if (fs.existsSync(path.join(root, source))) add(source);
  else fault('docs/site/contents.mjs', `names ${source}, which is not there`);
}
decisions.forEach(add);
for (const name of fs.readdirSync(docs)) {
  if (name.endsWith('.md') && !listed.includes(`docs/${name}`)) fault(`docs/${name}`, 'is not in docs/site/contents.mjs');
}
for (const { from, to, anchor } of wanted) {
  if (!anchor || !to.endsWith('.md')) continue;
  if (!pages.get(to).headings.some((h) => h.id === anchor)) fault(from, `there is no #${anchor} in ${to}`);
}

// --- Writing.

const entry = (source) => {
  const { address, title } = pages.get(source);
  return { address, name: short[path.basename(source, '.md')] ?? title };
};
const there = (source) => pages.has(source);
const groups = contents.map(({ title, pages: names }) => ({
  title,
  pages: names.map((name) => `docs/${name}.md`).filter(there).map(entry),
}));
const order = groups.flatMap((group) => group.pages);
groups.push({ title: 'Decisions', pages: decisions.map(entry), folded: true });

function write(address, text) {
  const place = path.join(out, address);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
}

fs.rmSync(out, { recursive: true, force: true });
for (const made of pages.values()) {
  const at = order.findIndex((p) => p.address === made.address);
  const neighbours = at < 0 ? {} : { before: order[at - 1], after: order[at + 1] };
  write(made.address, page({ ...made, groups, version, ...neighbours }));
}
for (const [source, address] of files) write(address, fs.readFileSync(path.join(root, source)));
for (const name of ['style.css', 'site.js']) write(name, fs.readFileSync(path.join(here, name)));

const index = [...pages.values()].flatMap(({ address, title, headings }) =>
  headings.map((h) => ({
    page: title,
    at: h.level === 1 ? address : `${address}#${h.id}`,
    heading: h.text,
    words: h.words.replace(/\s+/g, ' ').trim(),
  })),
);
write('search.js', `globalThis.cosimo_search = ${JSON.stringify(index)};\n`);

for (const text of faults) console.error(text);
console.log(`${pages.size} pages, ${files.size} pictures, ${index.length} sections in ${out}`);
process.exitCode = faults.length > 0 ? 1 : 0;
