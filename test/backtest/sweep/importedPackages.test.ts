import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { importedPackages } from '../../../backtest/sweep/importedPackages.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-imported-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): string {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

const install = (place: string, name: string, version: string): string =>
  write(`${place}/node_modules/${name}/package.json`, JSON.stringify({ name, version }));

test('a package that files resolve to several versions has each of them, whatever their order', () => {
  install('one', 'averages', '1.2.0');
  install('two', 'averages', '1.10.0');
  install('two', '@their/levels', '3.0.0');
  const files = [
    write('one/a.ts', "import { mean } from 'averages';\n"),
    write('two/b.ts', "import { mean } from 'averages/fast';\nimport '@their/levels';\n"),
    write('one/c.ts', "export * from 'averages';\n"),
  ];
  for (const order of [files, files.toReversed()]) {
    expect(importedPackages(order)).toEqual([
      { name: '@their/levels', version: '3.0.0' },
      { name: 'averages', version: '1.10.0, 1.2.0' },
    ]);
  }
});
