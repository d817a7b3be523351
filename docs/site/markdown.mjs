// From Markdown to HTML: markdown-it with anchors at headings, equations as MathML, links that the caller
// rewrites, tables that scroll, and a list of the headings for navigation and search.
//
//   const { html, title, headings } = render(text, { link: (address) => ..., image: (address) => ... });

import MarkdownIt from 'markdown-it';
import temml from 'temml';
import { escape, highlight } from './highlight.mjs';
import { slugger } from './slug.mjs';

function formula(tex, displayMode) {
  return temml.renderToString(tex, { displayMode, throwOnError: true, trust: false });
}

/// `$a$`: no blank inside next to the signs, no digit after the second one.
function inline_math(state, silent) {
  const { src, pos } = state;
  if (src[pos] !== '$' || /[\s$]/.test(src[pos + 1] ?? ' ')) return false;
  let end = pos + 1;
  while ((end = src.indexOf('$', end)) !== -1 && src[end - 1] === '\\') ++end;
  if (end === -1 || /\s/.test(src[end - 1]) || /\d/.test(src[end + 1] ?? '')) return false;
  if (!silent) {
    const token = state.push('math', 'math', 0);
    token.content = src.slice(pos + 1, end);
    token.meta = { display: false };
  }
  state.pos = end + 1;
  return true;
}

/// A paragraph between lines that begin and end with `$$`.
function block_math(state, begin, last, silent) {
  const line = (i) => state.src.slice(state.bMarks[i] + state.tShift[i], state.eMarks[i]);
  if (!line(begin).startsWith('$$')) return false;
  if (silent) return true;
  let text = line(begin).slice(2);
  let i = begin;
  while (!text.trimEnd().endsWith('$$')) {
    if (++i >= last) throw new Error(`a $$ without an end: ${text}`);
    text += '\n' + line(i);
  }
  const token = state.push('math', 'math', 0);
  token.block = true;
  token.content = text.trimEnd().slice(0, -2).trim();
  token.meta = { display: true };
  state.line = i + 1;
  return true;
}

function plain(tokens) {
  return tokens
    .map((t) => (t.children ? plain(t.children) : t.type === 'softbreak' ? ' ' : ['text', 'code_inline', 'math', 'fence', 'code_block'].includes(t.type) ? t.content : ''))
    .join('');
}

/// Anchors, and what each section says, in plain words.
function survey(tokens) {
  const name = slugger();
  const headings = [];
  for (let i = 0; i < tokens.length; ++i) {
    const token = tokens[i];
    if (token.type === 'heading_open') {
      const text = plain([tokens[i + 1]]);
      const id = name(text);
      token.attrSet('id', id);
      headings.push({ level: Number(token.tag[1]), id, text, html: '', words: '' });
      i += 1;
    } else if (headings.length > 0 && (token.type === 'inline' || token.type === 'fence')) {
      headings.at(-1).words += plain([token]) + ' ';
    }
  }
  return headings;
}

export function render(text, { link, image }) {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: false });
  md.inline.ruler.before('escape', 'math', inline_math);
  md.block.ruler.before('fence', 'math', block_math, { alt: ['paragraph', 'list', 'blockquote'] });
  const rules = md.renderer.rules;
  rules.math = (tokens, i) => {
    const { content, meta } = tokens[i];
    if (!meta.display) return formula(content, false);
    // The number stands at the edge of the text, whatever the browser makes of tables in MathML.
    const tag = /\\tag\{([^}]*)\}/.exec(content);
    const number = tag ? `<span class="number">(${escape(tag[1])})</span>` : '';
    const html = formula(content.replace(tag?.[0] ?? '', ''), true);
    return `<div class="equation"><div>${html}</div>${number}</div>\n`;
  };
  rules.fence = rules.code_block = (tokens, i) => {
    const language = (tokens[i].info ?? '').trim();
    const code = highlight(tokens[i].content.replace(/\n$/, ''), language);
    return `<div class="code" data-language="${escape(language)}"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
  };
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.heading_close = (tokens, i) => {
    const open = tokens[i - 2];
    return `<a class="anchor" href="#${open.attrGet('id')}" aria-label="Link to this section">#</a></${tokens[i].tag}>\n`;
  };
  rules.link_open = (tokens, i, options, env, self) => {
    tokens[i].attrSet('href', link(tokens[i].attrGet('href')));
    return self.renderToken(tokens, i, options);
  };
  rules.image = (tokens, i) => {
    const { address, width, height } = image(tokens[i].attrGet('src'));
    const alt = escape(tokens[i].content);
    const size = width ? ` width="${width}" height="${height}"` : '';
    return `<a class="figure" href="${address}"><img src="${address}" alt="${alt}"${size}></a>`;
  };
  // Marks for the tests of the commands are not for readers.
  const tokens = md.parse(text.replace(/^<!--.*?-->\n/gms, ''), {});
  const headings = survey(tokens);
  return { html: md.renderer.render(tokens, md.options, {}), title: headings[0]?.text ?? '', headings };
}
