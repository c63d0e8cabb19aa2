import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The page's modules, each after those that it imports. */
const MODULES = [
  'format',
  'theme',
  'charts',
  'tables',
  'tiles',
  'cards',
  'performance',
  'budget',
  'main',
] as const;

/**
 * The page's own code as one script. A file opened from disk can't import another, so the modules
 * are joined into one scope (their names are all different), without imports and exports, and without
 * the links to source maps that a build leaves.
 */
export function pageScript(): string {
  return MODULES.map((name) => withoutPorts(readPageModule(name))).join('\n');
}

function readPageModule(name: string): string {
  return readFileSync(new URL(`./page/${name}.js`, import.meta.url), 'utf8');
}

function withoutPorts(text: string): string {
  return text
    .replaceAll(/^import [^;]*;\n/gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
}

/** lightweight-charts as one script, its licence notice included; nothing is loaded from a network. */
export function chartLibrary(): string {
  const home = dirname(createRequire(import.meta.url).resolve('lightweight-charts/package.json'));
  const text = readFileSync(join(home, 'dist/lightweight-charts.standalone.production.js'), 'utf8');
  return text.replaceAll('</script', '<\\/script');
}
