import type { Client } from 'undici';
import { reasonOf } from '../env/reasonOf.ts';
import type { Env } from '../env/Env.ts';
import { requireSafeUrl } from './requireSafeUrl.ts';
import { loadUndici } from './loadUndici.ts';

/** The end of a post; the address is in neither. */
export type PostAnswer =
  | {
      kind: 'answered';
      status: number;
      /** Seconds or a date, as the header has it. */
      retryAfter: string | undefined;
      /** The first 16 KiB at most. */
      text: string;
    }
  | { kind: 'failed'; reason: string };

export interface PostOptions {
  /** https, or http to this machine; it may hold a secret. */
  url: string;
  body: unknown;
  /** Milliseconds for the whole exchange. */
  timeoutMs: number;
  env: Pick<Env, 'timers'>;
}

const MAX_RESPONSE_BYTES = 16 * 1_024;

/** Posts JSON to one address over a connection of its own: no redirects, no retries, verified TLS. Never rejects. */
export async function postJson(options: PostOptions): Promise<PostAnswer> {
  const { url: text, body, timeoutMs, env } = options;
  const abort = new AbortController();
  const cancel = env.timers.after(timeoutMs, () => abort.abort());
  let client: Client | undefined;
  try {
    const url = requireSafeUrl(text, 'http');
    const undici = loadUndici();
    client = new undici.Client(url.origin, {
      allowH2: false,
      connect: { timeout: timeoutMs, rejectUnauthorized: true },
    });
    const answer = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { 'content-type': 'application/json', accept: '*/*', 'user-agent': 'trimtab' },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    const read = await readStart(answer.body);
    const header = answer.headers['retry-after'];
    const retryAfter = typeof header === 'string' ? header : undefined;
    return { kind: 'answered', status: answer.statusCode, retryAfter, text: read };
  } catch (error) {
    return { kind: 'failed', reason: abort.signal.aborted ? 'timeout' : codeOf(error) };
  } finally {
    cancel();
    void client?.destroy().catch(() => {});
  }
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, MAX_RESPONSE_BYTES - bytes));
    bytes += chunk.length;
    if (bytes >= MAX_RESPONSE_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A message of the system may name the address; its code does not. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error instanceof TypeError ? reasonOf(error) : 'failed';
}
