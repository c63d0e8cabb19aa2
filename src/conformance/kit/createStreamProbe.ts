import type { Dialect } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import { SocketConnection } from '../../wire/SocketConnection.ts';
import type { Json } from './Answer.ts';
import { Difference } from './Difference.ts';
import type { Trace } from './Trace.ts';
import { Inconclusive } from './Inconclusive.ts';

/** A recorded socket: every frame is stored as it came. */
export interface StreamProbe {
  /** Stream frames, in order of arrival. */
  readonly frames: readonly Json[];
  /** All messages, acks and results too, in order of arrival. */
  readonly log: readonly Json[];
  /** Frames of a channel, and of an event if one is given. */
  of(channel: string, event?: string): Json[];
  /** Sends a message with a correlation id and returns the ack, error or result with that id. */
  ask(message: Readonly<Record<string, unknown>>): Promise<Json>;
  subscribe(channel: string, params?: Readonly<Record<string, unknown>>): Promise<Json>;
  command(
    command: string,
    args?: Readonly<Record<string, unknown>>,
    more?: { wallet?: string; idempotency_key?: string },
  ): Promise<Json>;
  /** Sends a text as it is; the next control frame without a known id is returned. */
  askText(text: string): Promise<Json>;
  /** Resolves when everything that the service has sent so far has arrived. */
  settle(): Promise<void>;
  /** Resolves with the reason when the connection is lost. */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

export interface StreamProbeOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  dialect: Dialect;
  env: Pick<Env, 'clock' | 'timers'>;
  trace: Trace;
}

const WAIT_MS = 10_000;

/** Opens a socket; resolves with its welcome, or throws the refusal. */
export async function createStreamProbe(options: StreamProbeOptions): Promise<StreamProbe> {
  const { dialect, env, trace } = options;
  const frames: Json[] = [];
  const log: Json[] = [];
  const waiting = new Map<string, (frame: Json) => void>();
  const opened = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<string>();
  let stray: ((frame: Json) => void) | null = null;
  let asked = 0;

  const receive = (text: string): void => {
    let frame: Json;
    try {
      frame = dialect.shapes.normaliseServerFrame(JSON.parse(text)) as Json;
      if (typeof frame !== 'object' || frame === null) throw new TypeError('no object');
    } catch {
      const found = `a text that is no frame: ${text.slice(0, 80)}`;
      opened.reject(new Difference('frames that are objects of JSON', found));
      lost.resolve(found);
      void connection.close();
      return;
    }
    log.push(frame);
    if (typeof frame.channel === 'string' && frame.type === undefined) {
      frames.push(frame);
      if (frame.event === 'welcome') opened.resolve();
      return;
    }
    const waiter = waiting.get(frame.id) ?? stray;
    waiting.delete(frame.id);
    waiter?.(frame);
  };

  trace.note(`GET ${options.url.pathname} (WebSocket upgrade)`);
  const connection = new SocketConnection(
    { url: options.url, headers: options.headers, stream: dialect.stream, env },
    {
      onOpen: () => {},
      onText: receive,
      onLost: (reason) => {
        opened.reject(new Difference('a socket that opens', reason));
        lost.resolve(reason);
      },
    },
  );

  const within = <T>(what: string, promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const cancel = env.timers.after(WAIT_MS, () =>
        reject(new Difference(`${what} within ${WAIT_MS / 1_000} s`, 'nothing')),
      );
      promise.then(resolve, reject).finally(cancel);
      void lost.promise.then((reason) => reject(new Difference(what, `a lost socket: ${reason}`)));
    });

  const ask: StreamProbe['ask'] = (message) => {
    const id = `probe-${++asked}`;
    const text = dialect.shapes.encodeClientMessage({ id, ...message } as never);
    trace.note(`WebSocket ${text.slice(0, 800)}`);
    const answer = new Promise<Json>((resolve) => waiting.set(id, resolve));
    if (!connection.isOpen) throw new Inconclusive('The socket is not open.');
    connection.send(text);
    return within('an answer on the socket', answer);
  };

  await within('the welcome', opened.promise);
  /** An ack arrives after everything that was sent before it. */
  const settle = async (): Promise<void> => void (await ask({ op: 'subscribe', channel: '_meta' }));

  return {
    frames,
    log,
    of: (channel, event) =>
      frames.filter(
        (frame) => frame.channel === channel && (event === undefined || frame.event === event),
      ),
    ask,
    async subscribe(channel, params) {
      const answer = await ask({ op: 'subscribe', channel, ...(params && { params }) });
      // The ack comes before the first frame; a check that requests a snapshot needs that frame too.
      await settle();
      return answer;
    },
    command: (command, args, more) =>
      ask({ op: 'command', command, ...(args === undefined ? {} : { args }), ...more }),
    askText(text) {
      trace.note(`WebSocket ${text.slice(0, 800)}`);
      const answer = new Promise<Json>((resolve) => (stray = resolve));
      connection.send(text);
      return within('an answer on the socket', answer);
    },
    settle,
    lost: lost.promise,
    close: () => connection.close(),
  };
}
