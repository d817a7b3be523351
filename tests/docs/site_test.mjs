// node site_test.mjs SITE BROWSER: opens every page of the site from disk. No console errors, every address inside the
// site exists, equations are MathML, no page is wider than a phone; theme, menu and search work.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [site, browser] = process.argv.slice(2);
const faults = [];
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'cosimo-site-'));

function expect(condition, text) {
  if (!condition) faults.push(text);
}

function html_files(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? html_files(name) : name.endsWith('.html') ? [name] : [];
  });
}

const context = await chromium.launchPersistentContext(profile, {
  executablePath: browser,
  headless: true,
  viewport: { width: 1280, height: 800 },
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const page = await context.newPage();
let name = '';
page.on('console', (m) => expect(m.type() !== 'error', `${name}: console: ${m.text()}`));
page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
page.on('request', (r) => expect(/^(file|data):/.test(r.url()), `${name}: asks for ${r.url()}`));
const open = async (file) => {
  name = path.relative(site, file);
  await page.goto(pathToFileURL(file).href);
};

// --- Every page: addresses, anchors, pictures.

const files = html_files(site);
const ids = new Map();
const wanted = [];
for (const file of files) {
  await open(file);
  const found = await page.evaluate(() => ({
    ids: [...document.querySelectorAll('[id]')].map((e) => e.id),
    links: [...document.querySelectorAll('a[href]')].map((a) => a.href).filter((h) => h.startsWith('file:')),
    broken: [...document.images].filter((i) => !(i.complete && i.naturalWidth > 0) || !i.alt).map((i) => i.src),
    heading: document.querySelectorAll('h1').length,
  }));
  ids.set(file, new Set(found.ids));
  for (const link of found.links) wanted.push([name, new URL(link)]);
  expect(found.broken.length === 0, `${name}: pictures: ${found.broken}`);
  expect(found.heading === 1, `${name}: ${found.heading} headings of the first level`);
}
for (const [from, url] of wanted) {
  const target = decodeURIComponent(url.pathname);
  const anchor = decodeURIComponent(url.hash.slice(1));
  if (!fs.existsSync(target)) faults.push(`${from}: there is no ${target}`);
  else if (anchor && ids.has(target)) expect(ids.get(target).has(anchor), `${from}: there is no ${target}#${anchor}`);
}

// --- A phone.

await page.setViewportSize({ width: 375, height: 700 });
for (const file of files.filter((f) => path.dirname(f) === path.resolve(site))) {
  await open(file);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width <= 376, `${name}: ${width} pixels wide on a phone`);
}
await open(path.join(site, 'index.html'));
expect(!(await page.isVisible('.pages')), 'the list of pages is open on a phone');
await page.click('button.menu');
expect(await page.isVisible('.pages'), 'the menu does not open');

// --- Equations, theme, search.

await page.setViewportSize({ width: 1280, height: 800 });
await open(path.join(site, 'theory.html'));
expect((await page.locator('math').count()) > 20, 'theory.html has no equations');
expect(!(await page.textContent('article')).includes('$$'), 'theory.html: an equation is not rendered');
const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const before = await background();
await page.click('button.theme');
expect((await background()) !== before, 'the theme does not change');
await page.keyboard.press('/');
await page.keyboard.type('milne device');
await page.waitForSelector('.found a');
await page.keyboard.press('Enter');
await page.waitForLoadState();
expect(/theory|schemes|choosing/.test(page.url()), `search for the Milne device leads to ${page.url()}`);

await context.close();
fs.rmSync(profile, { recursive: true, force: true });
for (const text of faults) console.log(`FAILED: ${text}`);
console.log(`${files.length} pages, ${wanted.length} links, ${faults.length} faults`);
process.exitCode = files.length > 20 && faults.length === 0 ? 0 : 1;
