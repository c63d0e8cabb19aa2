import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from './ledger.ts';

test('what was played is known by the next run, as long as source and change are the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ledger.jsonl');
  const patch = { station: 's', file: 'f', name: 'n', edit: { from: 'a', to: 'b' } };
  const found = { result: 'found', by: 't', how: 'h' } as const;
  openLedger(path).add(patch, 'source', { result: 'survived', after: '1 test file' }, 2);
  openLedger(path).add(patch, 'source', found, 1);
  const next = openLedger(path);
  expect(next.resultOf(patch, 'source')).toMatchObject({ ...found, patch: 'f: n', seconds: 1 });
  expect(next.resultOf(patch, 'another source')).toBeUndefined();
  expect(next.resultOf({ ...patch, edit: { from: 'a', to: 'c' } }, 'source')).toBeUndefined();
});
