// The frame around every page: navigation on the left, the sections of the page on the right, where to go on below.
// Nothing is loaded from elsewhere; all addresses are relative, so that the site opens from a disk.

import { escape } from './highlight.mjs';

const mark = `<svg class="logo" viewBox="0 0 36 20" aria-hidden="true"><path d="M6 10h24" stroke="currentColor" stroke-width="2" stroke-dasharray="5 2.5" opacity=".55"/><circle cx="6" cy="10" r="5" fill="#0072b2"/><circle cx="18" cy="10" r="5" fill="#00936a"/><circle cx="30" cy="10" r="5" fill="#dc8a00"/></svg>`;

function navigation(groups, current, root) {
  const group = ({ title, pages, folded }) => {
    const items = pages.map(({ address, name }) => {
      const here = address === current ? ' aria-current="page"' : '';
      return `<li><a href="${root}${address}"${here}>${escape(name)}</a></li>`;
    });
    if (!folded) return `<h2>${escape(title)}</h2><ul>${items.join('')}</ul>`;
    const open = pages.some(({ address }) => address === current) ? ' open' : '';
    return `<details${open}><summary>${escape(title)}</summary><ul>${items.join('')}</ul></details>`;
  };
  return groups.map(group).join('\n');
}

function sections(headings) {
  const listed = headings.filter((h) => h.level === 2 || h.level === 3);
  if (listed.length < 3) return '';
  const items = listed.map((h) => `<li class="level${h.level}"><a href="#${h.id}">${escape(h.text)}</a></li>`);
  return `<nav class="sections" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function onwards(before, after, root) {
  const link = (page, rel, label) =>
    page ? `<a rel="${rel}" href="${root}${page.address}"><span>${label}</span>${escape(page.name)}</a>` : '<i></i>';
  if (!before && !after) return '';
  return `<nav class="onwards" aria-label="Next and previous page">${link(before, 'prev', 'Before')}${link(after, 'next', 'Next')}</nav>`;
}

/// { address, title, html, headings, groups, before, after, version }
export function page(p) {
  const root = '../'.repeat(p.address.split('/').length - 1);
  const title = p.address === 'index.html' ? 'Cosimo' : `${p.title} · Cosimo`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}style.css">
<script>try { const t = localStorage.getItem('theme'); if (t) document.documentElement.dataset.theme = t; } catch {}</script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the text</a>
<header>
<button class="menu" aria-expanded="false" aria-controls="pages" aria-label="Pages">☰</button>
<a class="brand" href="${root}index.html">${mark}Cosimo <span>${escape(p.version)}</span></a>
<div class="search"><input type="search" placeholder="Search  /" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><div class="found" role="listbox" aria-label="Found" hidden></div></div>
<button class="theme" aria-label="Light or dark" title="Light or dark">◐</button>
</header>
<div class="frame">
<nav id="pages" class="pages" aria-label="Pages">
${navigation(p.groups, p.address, root)}
</nav>
<main id="content" tabindex="-1">
<article>
${p.html}
</article>
${onwards(p.before, p.after, root)}
</main>
${sections(p.headings)}
</div>
<script src="${root}site.js"></script>
</body>
</html>
`;
}
