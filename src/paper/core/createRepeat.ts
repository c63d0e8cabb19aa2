import type { Change } from '../state/Change.ts';
import { repeatCall, type GateParts } from './createGate.ts';
import type { IdempotencyStore } from './createIdempotencyStore.ts';
import type { ApiKey, Keyring } from './createKeyring.ts';
import type { Engine } from './Engine.ts';
import type { PaperCore } from './PaperCore.ts';

export interface RepeatParts {
  engine: Engine;
  keyring: Keyring;
  idempotency: IdempotencyStore;
  gateParts: GateParts;
  addConnection: PaperCore['addConnection'];
}

/** Applies recorded changes to the state in which they were recorded. */
export function createRepeat(parts: RepeatParts): PaperCore['repeat'] {
  const { engine, keyring, idempotency, gateParts } = parts;
  /** Calls by keys that the log revokes before them: they were admitted when they came. */
  const revoked = new Map<string, ApiKey>();

  const callerOf = (keyId: string | null): ApiKey | null => {
    const key = keyId === null ? null : (keyring.find(keyId) ?? revoked.get(keyId));
    if (key === undefined) throw new Error(`A recorded call came by ${keyId}, which is unknown.`);
    return key;
  };

  const revoke = (keyId: string): void => {
    const key = keyring.find(keyId);
    if (key !== undefined) revoked.set(keyId, key);
    keyring.revoke(keyId);
  };

  return (change: Change): void => {
    if ('time' in change) engine.advanceTo(change.time);
    else if ('call' in change) repeatCall(gateParts, change.call, callerOf(change.call.keyId));
    else if ('answer' in change) idempotency.restore(change.answer);
    else if ('key' in change) keyring.add(change.key);
    else if ('revoked' in change) revoke(change.revoked);
    else if ('interrupted' in change) engine.interruptExecutions();
    else if ('transfer' in change) engine.transfer(change.transfer.wallet, change.transfer.amount);
    else {
      const { label, balance, status } = change.connection;
      parts.addConnection(label, balance, status);
    }
  };
}
