import { requireFields } from '../contract/failures/requireFields.ts';
import { createHmac, createSecretKey } from 'node:crypto';
import type { Dialect } from '../contract/dialect.ts';
import type { Clock } from '../env/Clock.ts';

/** What a signature covers: the path with its query exactly as sent, and the exact body text. */
export interface Signable {
  method: string;
  path: string;
  /** Empty if there is no body (AUTH-2). */
  body: string;
}

export type SignedHeaders = Readonly<
  Record<'X-Service-Api-Key-Id' | 'X-Service-Timestamp' | 'X-Service-Signature', string>
>;

/** Signs requests. The secret is in the closure only: nothing that prints a signer can show it. */
export interface Signer {
  readonly keyId: string;
  sign(request: Signable): SignedHeaders;
}

export interface SignerOptions {
  /** Public identifier, `vk_…`. */
  keyId: string;
  /** `vs_…`. */
  secret: string;
  dialect: Pick<Dialect, 'signing'>;
  clock: Pick<Clock, 'wallNow'>;
  /** Server time − wall time in milliseconds, as learned; signatures carry server time. */
  offsetMs?: () => number;
}

/**
 * Creates the three headers of a request: HMAC-SHA256 over timestamp + method + path + body, without
 * separators, in lowercase hex (AUTH-1).
 *
 * ```ts
 * const { clock } = createLiveEnv();
 * const signer = createSigner({ keyId: paper.key_id, secret: paper.secret, dialect: defaultDialect, clock });
 * signer.sign({ method: 'GET', path: '/v1/account', body: '' })['X-Service-Signature'].length; // => 64
 * ```
 *
 * @see spec §5
 */
export function createSigner(options: SignerOptions): Signer {
  requireFields('createSigner', options, ['keyId', 'secret', 'dialect', 'clock']);
  const { keyId, clock, offsetMs = () => 0 } = options;
  const { signQueryString } = options.dialect.signing;
  const key = createSecretKey(options.secret, 'utf8');
  return {
    keyId,
    sign({ method, path, body }) {
      const timestamp = Math.floor((clock.wallNow() + offsetMs()) / 1000).toString();
      const signedPath = signQueryString ? path : withoutQuery(path);
      const text = timestamp + method + signedPath + body;
      return {
        'X-Service-Api-Key-Id': keyId,
        'X-Service-Timestamp': timestamp,
        'X-Service-Signature': createHmac('sha256', key).update(text).digest('hex'),
      };
    },
  };
}

function withoutQuery(path: string): string {
  const mark = path.indexOf('?');
  return mark === -1 ? path : path.slice(0, mark);
}
