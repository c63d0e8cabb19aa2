/** Since when a journal has every intent: those that stay for good say nothing of the others of their time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { wholeSince } from '../../../src/operate/journal/wholeSince.ts';
import { rowOf } from '../../journal/journalRows.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a monitor that was armed before the cut does not make what came with it whole', async () => {
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  const add = async (key: string, kind: string, time: number) => {
    const at = { key, wallTime: time, marketTime: time, data: '{}' };
    const entries = (['emitted', 'accepted'] as const).map((state) => ({ ...at, state }));
    await store.append({ intent: { ...rowOf(key), kind }, entries });
  };
  await add('monitor', 'create_monitor', 10);
  await add('old', 'place_order', 20);
  await add('new', 'place_order', 50);
  await add('newest', 'place_order', 60);
  expect(await store.compact({ olderThan: 40 })).toBe(1);
  await store.close();
  const reader = createSqliteReader(path);
  expect(await wholeSince(reader)).toEqual({ wall: 50, market: 50 });
  await reader.close();
});
