/** What a run leaves: each strategy's ledger, and the record that reports and hashes are made of. */
export { createLedger, type Ledger } from './createLedger.ts';
export { createMoments, type Moments } from './createMoments.ts';
