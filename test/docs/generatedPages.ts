import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../sourceFiles.ts';
import { commandSections } from './commandSections.ts';
import { configurationSections, dialectSections } from './configurationSections.ts';
import { indicatorTable } from './indicatorTable.ts';

/** Pages of which a part is made from code; around it, a person writes. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  'docs/reference/command-line.md': commandSections,
  'docs/reference/configuration.md': configurationSections,
  'docs/reference/dialect.md': dialectSections,
  'docs/reference/indicators.md': indicatorTable,
};

const REGION = /(<!-- made by npm run docs:pages -->)[\s\S]*?(<!-- end -->)/;

/** The page as it must be: what is there, with its part made anew. */
export async function generatedPage(file: string): Promise<string> {
  const page = readFileSync(join(root, file), 'utf8');
  if (!REGION.test(page)) throw new Error(`${file} has no place for what is made.`);
  const made = GENERATED[file]!();
  const whole = page.replace(REGION, (_all, from, to) => `${from}\n\n${made}\n\n${to}`);
  const style = await resolveConfig(join(root, 'package.json'));
  return await format(whole, { ...style, parser: 'markdown' });
}

if (import.meta.main) {
  for (const file of Object.keys(GENERATED)) {
    writeFileSync(join(root, file), await generatedPage(file));
  }
}
