import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { pause, reasonOf, type Env } from '../../../src/env/index.ts';
import { FinalRefusal } from '../FinalRefusal.ts';
import { partOf } from './partOf.ts';
import type { SweepObject } from './SweepContent.ts';

const [ATTEMPTS, AGAIN_MS, SILENT_MS] = [4, 2_000, 60_000];

export interface FetchOptions {
  url: string;
  token: string | null;
  /** The file that it becomes when it is whole and right. */
  target: string;
  env: Pick<Env, 'timers'>;
}

/** What another attempt would not change. */
class WrongContent extends FinalRefusal {}
/** What no attempt of the next seconds changes: an object that is still to come, a right that is still to be given. */
class Refused extends Error {}

/**
 * Reads an object into a file, which has its name only if its bytes are those of the digest. An address may
 * hold a secret after its `?`, so that it is shown without.
 *
 * @throws if it can't be read in several attempts, or is something else
 */
export async function fetchObject(object: SweepObject, options: FetchOptions): Promise<void> {
  const { target, url, env } = options;
  const part = partOf(target);
  for (let attempt = 1; ; attempt++) {
    try {
      await readInto(part, object, options);
      return await rename(part, target);
    } catch (error) {
      await rm(part, { force: true });
      const isHopeless = error instanceof WrongContent || error instanceof Refused;
      if (attempt < ATTEMPTS && !isHopeless) {
        await pause(env.timers, AGAIN_MS * attempt);
        continue;
      }
      const what = object.path === '.' ? 'The code of the sweep' : object.path;
      throw new Error(`${what} can't be read from ${shownUrl(url)}: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }
}

async function readInto(
  part: string,
  { digest, bytes }: SweepObject,
  { url, token, env }: FetchOptions,
): Promise<void> {
  const stop = new AbortController();
  const silent = (): void => stop.abort(new Error(`nothing came for ${SILENT_MS / 1_000} s`));
  let cancel = env.timers.after(SILENT_MS, silent);
  const hash = createHash('sha256');
  let count = 0;
  try {
    const source = await open(url, token, stop.signal);
    await pipeline(
      source,
      async function* check(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          cancel();
          cancel = env.timers.after(SILENT_MS, silent);
          count += chunk.length;
          if (count > bytes)
            throw new WrongContent(`it has more than the ${bytes} bytes of the plan`);
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(part),
      { signal: stop.signal },
    );
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    cancel();
  }
  // Who uploads it in place has not ended yet.
  if (count < bytes) throw new Refused(`it has ${count} of ${bytes} bytes so far`);
  const found = hash.digest('hex');
  if (found === digest) return;
  throw new WrongContent(`its SHA-256 is ${found}, and the plan names ${digest}`);
}

async function open(url: string, token: string | null, signal: AbortSignal): Promise<Readable> {
  const { protocol } = new URL(url);
  if (protocol === 'file:') return createReadStream(fileURLToPath(url));
  if (!/^https?:$/.test(protocol))
    throw new WrongContent(`${protocol} is no file:, http: or https:`);
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const redirect = token === null ? 'follow' : 'error';
  const response = await fetch(url, { headers, signal, redirect }).catch((error: Error) => {
    // What failed is behind "fetch failed".
    throw error.cause instanceof Error ? error.cause : error;
  });
  if (response.ok && response.body !== null) return Readable.fromWeb(response.body);
  const reason = `the server answers ${response.status} ${response.statusText}`.trimEnd();
  throw response.status >= 500 || response.status === 429 ? new Error(reason) : new Refused(reason);
}

/** Without what may be a secret: user, password, query. */
function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
