// The name of a heading in links, as code hosts make it: small letters, no punctuation, hyphens for spaces.
// `slugger()` gives a function for one page: the second heading of the same name gets "-1", the third "-2".

export function slug(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replace(/ /g, '-');
}

export function slugger() {
  const seen = new Map();
  return (text) => {
    const base = slug(text);
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}
