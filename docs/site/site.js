// Theme, menu, copy buttons, the section in view, search.
(() => {
  const root = document.body.dataset.root;
  const html = document.documentElement;

  const dark = () =>
    html.dataset.theme ? html.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.querySelector('button.theme').addEventListener('click', () => {
    html.dataset.theme = dark() ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', html.dataset.theme);
    } catch {
      // Pages from a disk may not be allowed to remember; the choice holds for this page.
    }
  });

  const menu = document.querySelector('button.menu');
  menu.addEventListener('click', () => {
    const open = menu.getAttribute('aria-expanded') !== 'true';
    menu.setAttribute('aria-expanded', open);
    document.body.classList.toggle('menu-open', open);
  });
  document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' });

  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.textContent = 'copy';
    button.className = 'copy';
    button.setAttribute('aria-label', 'Copy this block');
    button.addEventListener('click', async () => {
      await navigator.clipboard?.writeText(block.querySelector('code').textContent);
      button.textContent = 'copied';
      setTimeout(() => (button.textContent = 'copy'), 1500);
    });
    block.append(button);
  }

  const entries = [...document.querySelectorAll('.sections a')];
  if (entries.length > 0) {
    const targets = entries.map((a) => document.getElementById(decodeURIComponent(a.hash.slice(1))));
    const mark = () => {
      let now = 0;
      targets.forEach((h, i) => {
        if (h && h.getBoundingClientRect().top < 120) now = i;
      });
      entries.forEach((a, i) => a.classList.toggle('here', i === now));
    };
    addEventListener('scroll', mark, { passive: true });
    mark();
  }

  // --- Search: the words of all sections, loaded when first asked for.

  const input = document.querySelector('.search input');
  const box = document.querySelector('.search .found');
  let loading = null;
  const index = () =>
    (loading ??= new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = root + 'search.js';
      script.onload = () => resolve(globalThis.cosimo_search);
      script.onerror = () => resolve([]);
      document.head.append(script);
    }));

  const score = (section, words) => {
    let sum = 0;
    for (const word of words) {
      const heading = section.heading.toLowerCase();
      const place = section.words.toLowerCase().indexOf(word);
      if (heading.includes(word)) sum += heading.startsWith(word) ? 30 : 20;
      else if (section.page.toLowerCase().includes(word)) sum += 8;
      else if (place >= 0) sum += 5;
      else return 0;
      if (place >= 0) sum += 1;
    }
    return sum;
  };

  const line = (tag, text, kind) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };

  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const sections = await index();
    const found = words.length === 0 ? [] : sections.map((s) => [score(s, words), s]).filter(([n]) => n > 0);
    found.sort((a, b) => b[0] - a[0]);
    box.replaceChildren(
      ...found.slice(0, 12).map(([, s]) => {
        const link = document.createElement('a');
        link.href = root + s.at;
        link.setAttribute('role', 'option');
        const place = Math.max(0, s.words.toLowerCase().indexOf(words[0]) - 40);
        link.append(line('b', s.heading), line('span', s.page, 'page'), line('small', s.words.slice(place, place + 110)));
        return link;
      }),
    );
    if (words.length > 0 && found.length === 0) box.append(line('p', 'Nothing found.'));
    box.hidden = words.length === 0;
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', index);
  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape') {
      box.hidden = true;
      input.blur();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !box.hidden) {
      const links = [input, ...box.querySelectorAll('a')];
      const at = links.indexOf(document.activeElement);
      if (at < 0) return;
      event.preventDefault();
      links[Math.min(links.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))].focus();
    } else if (event.key === 'Enter' && document.activeElement === input) {
      box.querySelector('a')?.click();
    }
  });
  addEventListener('click', (event) => {
    if (!event.target.closest('.search')) box.hidden = true;
  });
})();
