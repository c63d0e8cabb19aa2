import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Modules of a page as one script, without imports and exports, and without the links to source maps that a build
 * leaves. They share one scope, so that their names must all be different.
 *
 * @param base the URL of the module that asks: JavaScript in a build, TypeScript in the sources that tests read
 * @param names paths from there without extension, each after those that it imports
 */
export function joinModules(base: string, names: readonly string[]): string {
  const [, extension] = /\.(js|ts)$/.exec(new URL(base).pathname)!;
  const read = (name: string): string => {
    const text = readFileSync(new URL(`${name}.${extension}`, base), 'utf8');
    return extension === 'ts' ? stripTypeScriptTypes(text) : text;
  };
  return names.map((name) => withoutPorts(read(name))).join('\n');
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
