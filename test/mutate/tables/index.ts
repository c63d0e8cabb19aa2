import type { Table } from '../Patch.ts';
import { budget } from './budget.ts';
import { guards } from './guards.ts';
import { journal } from './journal.ts';
import { operation } from './operation.ts';
import { outcomes } from './outcomes.ts';
import { paperAlgos } from './paperAlgos.ts';
import { paperLegs } from './paperLegs.ts';
import { paperVenue } from './paperVenue.ts';
import { runtimeControl } from './runtimeControl.ts';
import { runtimePipe } from './runtimePipe.ts';
import { runtimeRecovery } from './runtimeRecovery.ts';
import { runtimeWallet } from './runtimeWallet.ts';
import { statistics } from './statistics.ts';
import { decisions } from './decisions.ts';
import { transport } from './transport.ts';

/** Every station's patches. */
export const TABLES: readonly Table[] = [
  guards,
  journal,
  budget,
  outcomes,
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
