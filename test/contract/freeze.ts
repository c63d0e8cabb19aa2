/**
 * Freezes the published schemas: `node test/contract/freeze.ts`. Run it only when a change of what
 * we publish is meant, and write down why in DECISIONS.md (VER-2).
 */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { frozenPath } from './frozenFiles.ts';
import { publishedSchemas } from './publishedSchemas.ts';

for (const [name, content] of Object.entries(publishedSchemas())) {
  const path = frozenPath(name);
  const style = await resolveConfig(path);
  writeFileSync(path, await format(JSON.stringify(content), { ...style, parser: 'json' }));
  process.stdout.write(`Frozen: ${path}\n`);
}
