import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import {
  createMemoryStore,
  createSqliteReader,
  createSqliteStore,
} from '../../src/journal/index.ts';
import { testReader } from './testReader.ts';
import { testStore } from './testStore.ts';

const directory = mkdtempSync(join(tmpdir(), 'trimtab-stores-'));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;

testStore({
  name: 'memory',
  isDurable: false,
  createPlace: async () => ({ open: async () => createMemoryStore() }),
});

testStore({
  name: 'SQLite',
  isDurable: true,
  async createPlace() {
    const path = join(directory, `journal-${files++}.sqlite`);
    return { open: async () => createSqliteStore(path) };
  },
});

testReader({
  name: 'SQLite',
  async open() {
    const path = join(directory, `journal-${files++}.sqlite`);
    return {
      store: createSqliteStore(path),
      openReader: async () => createSqliteReader(path),
    };
  },
});
