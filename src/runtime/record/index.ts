/** The results of a run: each strategy's ledger, and the record from which reports and hashes are made. */
export { createLedger, type Ledger } from './createLedger.ts';
export { createDeferredBars, type BarRow, type DeferredBars } from './createDeferredBars.ts';
export { createInstants, type InstantColumns, type Instants } from './createInstants.ts';
