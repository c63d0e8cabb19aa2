import { createSecretKey } from 'node:crypto';
import type { Scope, Tier } from '../../contract/index.ts';
import type { Recorder, SavedKey } from '../state/Change.ts';

/** An API key as the service knows it. The secret exists only as a key object, which never prints. */
export interface ApiKey {
  keyId: string;
  label: string;
  scopes: readonly Scope[];
  /** The key's default connection. */
  connectionId: string;
  /** Sets the rate budget; the fee tier comes from traded volume. */
  tier: Tier;
  /** Wall time, epoch milliseconds. */
  createdTime: number;
  secret: SecretKey;
}

/**
 * A secret that never prints. It is typed here, not as Node's key object, so that users of these types
 * don't need Node's types.
 */
export interface SecretKey {
  export(): Uint8Array;
}

export interface NewKey extends Omit<ApiKey, 'secret'> {
  secret: string;
}

/** The keys of the service; one owner has them all. */
export interface Keyring {
  add(key: NewKey): ApiKey;
  find(keyId: string): ApiKey | undefined;
  revoke(keyId: string): boolean;
  list(): readonly ApiKey[];
  /** Every key with its secret, for persistence only. */
  save(): SavedKey[];
}

/** @param record receives every key that is added or removed, before it happens */
export function createKeyring(record: Recorder = () => {}): Keyring {
  const keys = new Map<string, ApiKey>();
  return {
    add(given) {
      record({ key: { ...given, scopes: [...given.scopes] } });
      const secret = createSecretKey(Buffer.from(given.secret, 'utf8'));
      const key: ApiKey = { ...given, secret };
      keys.set(key.keyId, key);
      return key;
    },
    find: (keyId) => keys.get(keyId),
    revoke(keyId) {
      record({ revoked: keyId });
      return keys.delete(keyId);
    },
    list: () => [...keys.values()],
    save: () =>
      [...keys.values()].map((key) => ({
        ...key,
        scopes: [...key.scopes],
        secret: Buffer.from(key.secret.export()).toString('utf8'),
      })),
  };
}
