import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { ROOT_PAGES } from './.vitepress/repositoryLinks.js';

/** Root pages become pages of the site, then TypeDoc writes the API, then VitePress builds all of it. */
const here = (path) => new URL(path, import.meta.url);
for (const folder of ['api', 'project']) rmSync(here(folder), { recursive: true, force: true });
mkdirSync(here('project'));
for (const [page, file] of Object.entries(ROOT_PAGES)) {
  writeFileSync(here(page), `<!--@include: ../../${file}-->\n`);
}
for (const [tool, ...args] of [['typedoc'], ['vitepress', 'build']]) {
  const options = { cwd: here('.'), stdio: 'inherit' };
  const { status } = spawnSync(`node_modules/.bin/${tool}`, args, options);
  if (status !== 0) process.exit(status ?? 1);
}
