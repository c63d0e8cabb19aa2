import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../sourceFiles.ts';
import { commandSections } from './commandSections.ts';
import { configurationSections, dialectSections } from './configurationSections.ts';
import { figureTable } from './figureTable.ts';
import { indicatorTable } from './indicatorTable.ts';
import { metricTable } from './metricTable.ts';
import { technicalindicatorsTable } from './technicalindicatorsTable.ts';

/** Pages of which a part is made from code; the rest is written by hand. */
export const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/command-line.md': commandSections,
  'docs/reference/configuration.md': configurationSections,
  'docs/reference/dialect.md': dialectSections,
  'docs/reference/figures.md': figureTable,
  'docs/reference/indicators.md': indicatorTable,
  'docs/reference/metrics.md': metricTable,
  'docs/reference/technicalindicators.md': technicalindicatorsTable,
};

const REGION = /(<!-- made by npm run docs:pages -->)[\s\S]*?(<!-- end -->)/;

/** The expected page: the existing one with its generated part rebuilt. */
export async function generatedPage(file: string): Promise<string> {
  const page = readFileSync(join(root, file), 'utf8');
  if (!REGION.test(page)) throw new Error(`${file} has no place for what is made.`);
  const made = await GENERATED[file]!();
  const whole = page.replace(REGION, (_all, from, to) => `${from}\n\n${made}\n\n${to}`);
  const style = await resolveConfig(join(root, 'package.json'));
  return await format(whole, { ...style, parser: 'markdown' });
}

if (import.meta.main) {
  for (const file of Object.keys(GENERATED)) {
    writeFileSync(join(root, file), await generatedPage(file));
  }
}
