import { requireFields } from '../contract/failures/requireFields.ts';
import type { Dispatcher } from 'undici';
import type { Dialect } from '../contract/dialect.ts';
import type { FrameDecoding } from '../contract/frames.ts';
import type { Cancel } from '../env/Clock.ts';
import type { Env } from '../env/Env.ts';
import type { Subscription } from '../env/Link.ts';
import type { Signer } from './createSigner.ts';
import type { SocketListener } from './createSocket.ts';
import { createSseParser } from './createSseParser.ts';
import { nameRefusal } from './nameRefusal.ts';
import { requireSafeUrl } from './requireSafeUrl.ts';
import { toSseChannels } from './toSseChannels.ts';
import { loadUndici } from './loadUndici.ts';

export interface EventStreamOptions {
  /** Without `/v1`. */
  baseUrl: string;
  subscriptions: readonly Subscription[];
  dialect: Dialect;
  signer: Signer;
  env: Pick<Env, 'timers'>;
  decode: (text: string) => FrameDecoding;
  wallet?: string;
}

export interface EventStream {
  /** Reports `closed` and ends; calling it again does nothing. */
  close(): Promise<void>;
}

const REFUSAL_CHARS = 65_536;
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

/**
 * Reads frames as server-sent events (STR-1): one connection, which reports when it is lost and is not opened
 * again; what must survive an outage uses the WebSocket.
 *
 * ```ts
 * const env = createLiveEnv();
 * const dialect = defaultDialect;
 * const signer = createSigner({ keyId: paper.key_id, secret: paper.secret, dialect, clock: env.clock });
 * const decode = (text: string) => decodeFrame(text, dialect);
 * await new Promise<void>((received) => {
 *   const stream = createEventStream(
 *     { baseUrl: paper.base_url, subscriptions: [{ channel: 'account.state', params: {} }], dialect, signer, env, decode },
 *     { onFrame: () => void stream.close().then(received), onFault: () => {}, onStatus: () => {} },
 *   );
 * });
 * ```
 */
export function createEventStream(
  options: EventStreamOptions,
  listener: SocketListener,
): EventStream {
  requireFields('createEventStream', options, [
    'baseUrl',
    'subscriptions',
    'dialect',
    'signer',
    'env',
    'decode',
  ]);
  const { dialect, env } = options;
  const url = requireSafeUrl(options.baseUrl, 'http');
  const { Client } = loadUndici();
  const client = new Client(url.origin, {
    allowH2: false,
    connect: { rejectUnauthorized: true },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let ended = false;
  let cancelSilence: Cancel = () => {};

  const end = (status: Parameters<SocketListener['onStatus']>[0]): void => {
    if (ended) return;
    ended = true;
    cancelSilence();
    void client.destroy();
    listener.onStatus(status);
  };
  const lose = (reason: string): void => end({ state: 'lost', reason });
  /** The server writes a comment at each ping; three of them missing is a stall. */
  const hear = (): void => {
    cancelSilence();
    if (!ended) {
      cancelSilence = env.timers.after(dialect.stream.serverIdleCloseMs, () => lose('stalled'));
    }
  };

  listener.onStatus({ state: 'connecting', attempt: 1 });
  hear();
  client.dispatch(toDispatch(options, url), {
    ...readEvents({ options, listener, hear, lose, isEnded: () => ended }),
    onRequestStart: () => {},
    onResponseError: () => lose('connection_lost'),
  });
  return {
    close: async () => {
      end({ state: 'closed' });
    },
  };
}

function toDispatch(
  { dialect, signer, subscriptions, wallet }: EventStreamOptions,
  url: URL,
): Dispatcher.DispatchOptions {
  const prefix = `${url.pathname.replace(/\/+$/, '')}/v1`;
  const wishes = dialect.shapes.toSse(subscriptions);
  const channels = typeof wishes === 'string' ? wishes : toSseChannels(subscriptions, wishes);
  const name = dialect.names.query['channels'] ?? 'channels';
  const query = `${encodeURIComponent(name)}=${encodeURIComponent(channels)}`;
  const path = `${prefix}${dialect.endpoints['streams.sse'].path}?${query}`;
  const signed = signer.sign({ method: 'GET', path, body: '' });
  const selector = wallet === undefined ? {} : { [dialect.headers.wallet]: wallet };
  return { method: 'GET', path, headers: { Accept: 'text/event-stream', ...signed, ...selector } };
}

interface Reading {
  options: EventStreamOptions;
  listener: SocketListener;
  hear: () => void;
  lose: (reason: string) => void;
  isEnded: () => boolean;
}

function readEvents({
  options,
  listener,
  hear,
  lose,
  isEnded,
}: Reading): Dispatcher.DispatchHandler {
  const utf8 = new TextDecoder();
  let status = 0;
  let refusal = '';
  let charsSinceEvent = 0;
  const parse = createSseParser(({ data }) => {
    if (isEnded()) return;
    charsSinceEvent = 0;
    const decoding = options.decode(data);
    if (decoding.ok) listener.onFrame(decoding.frame);
    else listener.onFault(decoding.fault);
  });
  return {
    onResponseStart(_controller, code) {
      status = code;
      hear();
      if (status === 200) listener.onStatus({ state: 'open' });
    },
    onResponseData(_controller, chunk) {
      hear();
      const text = utf8.decode(chunk, { stream: true });
      charsSinceEvent += text.length;
      if (charsSinceEvent > MAX_EVENT_CHARS) lose('frame_too_large');
      else if (status === 200) parse(text);
      else if (refusal.length < REFUSAL_CHARS) refusal += text;
    },
    onResponseEnd() {
      if (status === 200) lose('closed');
      else lose(nameRefusal(status, refusal, options.dialect));
    },
  };
}
