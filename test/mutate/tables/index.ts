import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tableOf, type Row, type Table } from '../Patch.ts';
import { budget } from './budget.ts';
import { guards } from './guards.ts';
import { journal } from './journal.ts';
import { operation } from './operation.ts';
import { outcomes } from './outcomes.ts';
import { paperAlgos } from './paperAlgos.ts';
import { paperLegs } from './paperLegs.ts';
import { paperVenue } from './paperVenue.ts';
import { runtime } from './runtime.ts';
import { runtimeControl } from './runtimeControl.ts';
import { runtimePipe } from './runtimePipe.ts';
import { runtimeRecovery } from './runtimeRecovery.ts';
import { runtimeWallet } from './runtimeWallet.ts';
import { statistics } from './statistics.ts';
import { decisions } from './decisions.ts';
import { transport } from './transport.ts';

const BY_STATION: readonly Table[] = [
  guards,
  journal,
  budget,
  outcomes,
  runtime,
  runtimeControl,
  runtimePipe,
  runtimeRecovery,
  runtimeWallet,
  paperVenue,
  ...paperLegs,
  ...paperAlgos,
  ...transport,
  ...decisions,
  statistics,
  ...operation,
];

/** Bugs that were planted beside the tests that first found them: `{ station, rows }` each. */
const ROWS = join(import.meta.dirname, '../rows');

async function readRows(): Promise<Table[]> {
  const files = existsSync(ROWS) ? readdirSync(ROWS).toSorted() : [];
  const modules = await Promise.all(
    files.map((file) => import(join(ROWS, file)) as Promise<Record<string, RowsOf>>),
  );
  return modules.flatMap(Object.values).map(({ station, rows }) => tableOf(station, rows));
}

interface RowsOf {
  station: string;
  rows: readonly Row[];
}

/** Of two that change the same text in the same way, the first. */
function withoutRepeats(tables: readonly Table[]): Table[] {
  const seen = new Set<string>();
  return tables.map((table) => ({
    ...table,
    patches: table.patches.filter(({ file, edit }) => {
      const change = JSON.stringify([file, edit]);
      return !seen.has(change) && seen.add(change);
    }),
  }));
}

/** Every station's patches. */
export const TABLES: readonly Table[] = withoutRepeats([...BY_STATION, ...(await readRows())]);
