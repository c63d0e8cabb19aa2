import { readFileSync } from 'node:fs';

/** The API of the package's entries, as pages of the site. */
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const entries = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path, target]) => ({
    name: path.replace('.', 'trimtab').replaceAll('/', '-'),
    source: target['trimtab-source'].replace('./', '../'),
  }));

/** An entry is called as it is imported, and not after its file. */
function nameEntries(app) {
  app.converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) {
      const entry = entries.find(({ source }) => source.endsWith(`/${module.name}.ts`));
      if (entry !== undefined) module.name = entry.name;
    }
  });
}

export default {
  plugin: ['typedoc-plugin-markdown', nameEntries],
  entryPoints: entries.map(({ source }) => source),
  tsconfig: './typedoc.tsconfig.json',
  out: './api',
  readme: 'none',
  name: 'API',
  disableSources: true,
  excludeInternal: true,
  excludeExternals: true,
  // The project's own check of types is npm test; TypeDoc's compiler is an older one.
  skipErrorChecking: true,
};
