import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/** The page's modules, each after those that it imports. */
const MODULES = [
  'format',
  'unpackJson',
  'pageData',
  'theme',
  'charts',
  'drawdownBands',
  'seriesCharts',
  'svg',
  'tables',
  'tiles',
  'cards',
  'selectTab',
  'tabBar',
  'performance',
  'budget',
  'figuresCard',
  'drawdownCard',
  'groupsCard',
  'exposureCard',
  'equityCard',
  'candleChart',
  'candleLayers',
  'candleMarks',
  'candlePlots',
  'markPointer',
  'candleCard',
  'recordCard',
  'shapeCards',
  'strategyCards',
  'aboutCard',
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

/** As JavaScript: built beside this file, or the source that the tests read, without its types. */
function readPageModule(name: string): string {
  const [, extension] = /\.(js|ts)$/.exec(new URL(import.meta.url).pathname)!;
  const text = readFileSync(new URL(`./page/${name}.${extension}`, import.meta.url), 'utf8');
  return extension === 'ts' ? stripTypeScriptTypes(text) : text;
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
