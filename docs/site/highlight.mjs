// Colours for code blocks: a handful of patterns per language, tried in order at every place.

const string = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const number = /\b\d[\d.']*(?:[eE][-+]?\d+)?\b/y;

const words = (list) => new RegExp(`\\b(?:${list})\\b`, 'y');

const languages = {
  sh: [
    ['comment', /(?<![^\s])#.*/y],
    ['string', string],
    ['variable', /\$(?:\w+|\{[^}]*\}|\()/y],
    ['option', /(?<=\s)--?[a-zA-Z][\w-]*/y],
    ['keyword', words('for|in|do|done|if|then|else|fi|while')],
  ],
  yaml: [
    ['comment', /(?<![^\s])#.*/y],
    ['string', string],
    ['key', /[A-Za-z_][\w.-]*(?=:(?:\s|$))/my],
    ['number', /(?<![\w.])[-+]?\d[\d.]*(?:[eE][-+]?\d+)?\b/y],
  ],
  cpp: [
    ['comment', /\/\/.*|\/\*[\s\S]*?\*\//y],
    ['string', string],
    ['key', /#\s*\w+/y],
    [
      'keyword',
      words(
        'auto|bool|case|class|const|constexpr|double|else|enum|explicit|extern|final|for|if|int|inline|namespace|noexcept|override|private|protected|public|return|static|struct|switch|template|this|typedef|typename|using|virtual|void|while|std',
      ),
    ],
    ['number', number],
  ],
  python: [
    ['comment', /#.*/y],
    ['string', string],
    ['keyword', words('as|def|for|from|if|import|in|return|with')],
    ['number', number],
  ],
  json: [
    ['key', /"(?:\\.|[^"\\])*"(?=\s*:)/y],
    ['string', string],
    ['number', /-?\b\d[\d.]*(?:[eE][-+]?\d+)?\b/y],
  ],
  diff: [
    ['added', /(?<=^|\n)\+.*/y],
    ['removed', /(?<=^|\n)-.*/y],
    ['comment', /(?<=^|\n)@@.*/y],
  ],
};
languages.bash = languages.sh;
languages.yml = languages.yaml;
languages.c = languages.h = languages.hpp = languages.cpp;
languages.py = languages.python;
languages.cmake = [languages.sh[0], languages.sh[1], languages.sh[2]];
languages.txt = languages.cmake.slice(0, 1);

export const escape = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

export function highlight(code, language) {
  const rules = languages[language];
  if (!rules) return escape(code);
  let out = '';
  let plain = '';
  for (let i = 0; i < code.length; ) {
    let found = null;
    for (const [kind, pattern] of rules) {
      pattern.lastIndex = i;
      const match = pattern.exec(code);
      if (match && match[0].length > 0) {
        found = [kind, match[0]];
        break;
      }
    }
    if (!found) {
      plain += code[i++];
      continue;
    }
    out += `${escape(plain)}<span class="${found[0]}">${escape(found[1])}</span>`;
    plain = '';
    i += found[1].length;
  }
  return out + escape(plain);
}
