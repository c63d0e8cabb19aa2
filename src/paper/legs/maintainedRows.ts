import { LIMITS } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { Account } from '../venue/Account.ts';

/** Rows that the service maintains for a wallet: live trails and tracked entries (LEG-11, TRK-6). */
export function rowsInUse(account: Account): number {
  let rows = account.entryWatches.size;
  for (const leg of account.liveLegs.values()) if (leg.record.form === 'trail') rows++;
  return rows;
}

/** @param freed rows that the same request releases, such as a replaced leg */
export function checkRows(account: Account, wanted: number, freed = 0): void {
  const inUse = rowsInUse(account);
  if (wanted === 0 || inUse - freed + wanted <= LIMITS.maintainedRows) return;
  const details = { limit: LIMITS.maintainedRows, in_use: inUse };
  throw new ServiceError('trailing_limit', { details });
}
