import { createHmac, KeyObject, timingSafeEqual } from 'node:crypto';
import type { Dialect } from '../../contract/index.ts';
import { ServiceError } from './ServiceError.ts';
import type { ApiKey, Keyring, SecretKey } from './createKeyring.ts';
import type { RawRequest } from './RawExchange.ts';

const SIGNATURE = /^[0-9a-f]{64}$/;

/**
 * Identifies the sender (AUTH-1 to AUTH-3). The signature is checked before the timestamp, so that an
 * unauthenticated caller learns nothing about the service's clock.
 *
 * @throws ServiceError one of the 401 codes
 */
export function authenticate(
  raw: RawRequest,
  keyring: Keyring,
  signing: Dialect['signing'],
): ApiKey {
  const keyId = raw.headers['x-service-api-key-id'];
  const timestamp = raw.headers['x-service-timestamp'];
  const signature = raw.headers['x-service-signature'];
  if (!keyId && !timestamp && !signature && hasSessionCredentials(raw)) {
    throw new ServiceError('session_credentials_refused');
  }
  if (!keyId || !timestamp || !signature) throw new ServiceError('missing_credentials');
  const key = keyring.find(keyId);
  if (key === undefined) throw new ServiceError('unknown_key');
  if (!isSignedBy(key, timestamp, signature, raw, signing.signQueryString)) {
    throw new ServiceError('invalid_signature');
  }
  if (!isRecent(timestamp, raw.wallTime, signing.timestampToleranceSeconds)) {
    throw new ServiceError('timestamp_out_of_window');
  }
  return key;
}

function hasSessionCredentials(raw: RawRequest): boolean {
  return raw.headers['cookie'] !== undefined || raw.headers['authorization'] !== undefined;
}

function isSignedBy(
  key: ApiKey,
  timestamp: string,
  signature: string,
  raw: RawRequest,
  withQuery: boolean,
): boolean {
  if (!SIGNATURE.test(signature)) return false;
  const path = withQuery ? raw.target : (raw.target.split('?')[0] ?? '');
  const expected = createHmac('sha256', keyObjectOf(key.secret))
    .update(timestamp + raw.method + path, 'utf8')
    .update(raw.bodyBytes ?? raw.bodyText)
    .digest('hex');
  expectedBytes.write(expected, 'latin1');
  givenBytes.write(signature, 'latin1');
  return timingSafeEqual(expectedBytes, givenBytes);
}

/** Buffers in which two signatures are compared; allocated once, because every request has one. */
const expectedBytes = Buffer.alloc(64);
const givenBytes = Buffer.alloc(64);

/** Both sides are whole seconds: a timestamp has no finer resolution. */
function isRecent(timestamp: string, wallTime: number, toleranceSeconds: number): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false;
  return Math.abs(Math.floor(wallTime / 1_000) - Number(timestamp)) <= toleranceSeconds;
}

/** The keyring's secrets are Node's key objects; their public type hides that. */
function keyObjectOf(secret: SecretKey): KeyObject {
  if (secret instanceof KeyObject) return secret;
  throw new TypeError('A secret is made by createKeyring.');
}
