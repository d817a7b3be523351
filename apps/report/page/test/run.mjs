// Unit tests of the page, in Node: node run.mjs MODULES. Bundles every *.test.ts beside it and runs node --test.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = resolve(process.argv[2]);
const { buildSync } = createRequire(join(modules, "package.json"))("esbuild");
const folder = mkdtempSync(join(tmpdir(), "cosimo-page-"));
const names = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
buildSync({
  entryPoints: names.map((name) => join(here, name)),
  bundle: true,
  platform: "node",
  format: "esm",
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  nodePaths: [join(modules, "node_modules")],
  logLevel: "warning",
});
const files = names.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
