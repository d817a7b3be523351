// Bundles the page: node build.mjs MODULES OUTPUT
//
// MODULES is the folder in which `npm ci` put node_modules. OUTPUT/template.html is one self-contained file,
// OUTPUT/template.cpp the same as C++ (page_template() of apps/report/page.hpp).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(modules, "package.json"))("esbuild");

const bundle = (entry) =>
  buildSync({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    format: "iife",
    target: ["chrome90", "firefox90", "safari15"],
    nodePaths: [join(modules, "node_modules")],
    absWorkingDir: here,
    logLevel: "warning",
  }).outputFiles[0].text.trim();

// Inside <script> and <style> only the closing tag has a meaning.
const inline = (text, tag) => text.replaceAll(`</${tag}`, `<\\/${tag}`);
const licence = (name, file) => `${name}\n${readFileSync(join(modules, "node_modules", file), "utf8").trim()}`;

const parts = {
  STYLE: inline(bundle("style/page.css"), "style"),
  SCRIPT: inline(bundle("main.ts"), "script"),
  LICENCE: `${licence("uPlot", "uplot/LICENSE")}\n\n${licence("three.js", "three/LICENSE")}`.replaceAll("--", "- -"),
};
const html = readFileSync(join(here, "src/page.html"), "utf8").replace(/@@(STYLE|SCRIPT|LICENCE)@@/g, (_, name) => parts[name]);
for (const place of ["@@COSIMO_DATA@@", "@@COSIMO_TITLE@@"]) {
  if (html.split(place).length !== 2) throw new Error(`the template must have ${place} exactly once`);
}

// Chunks, because compilers limit the length of a literal.
const bytes = Buffer.from(html, "utf8");
const literals = [];
for (let at = 0; at < bytes.length; at += 8000) {
  let text = "";
  for (const byte of bytes.subarray(at, at + 8000)) {
    const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
    text += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  literals.push(`    "${text}",`);
}
const cpp = `// Made by apps/report/page/build.mjs.
#include "apps/report/page.hpp"

namespace cosimo {

bool page_available() { return true; }

std::string page_template() {
  static constexpr std::string_view chunks[] = {
${literals.join("\n")}
  };
  std::string text;
  text.reserve(${bytes.length});
  for (const std::string_view chunk : chunks) text += chunk;
  return text;
}

}  // namespace cosimo
`;
writeFileSync(join(output, "template.html"), html);
writeFileSync(join(output, "template.cpp"), cpp);
