import { expect, onTestFinished } from 'vitest';
import { defaultDialect, type Dialect } from '../../../src/contract/dialect.ts';
import type { StreamFrame } from '../../../src/contract/frames.ts';
import type { Scope } from '../../../src/contract/vocabulary.ts';
import { createLiveEnv } from '../../../src/env/createLiveEnv.ts';
import { decodeFrame } from '../../../src/frames/decodeFrame.ts';
import {
  generateFeed,
  paperSettings,
  startPaperServer,
  type Feed,
  type PaperSettingsInput,
} from '../../../src/paper/index.ts';
import { createClient } from '../../../src/wire/createClient.ts';
import { createCommands } from '../../../src/wire/createCommands.ts';
import { createHttpClient } from '../../../src/wire/createHttpClient.ts';
import { createPaperControls } from '../../../src/wire/createPaperControls.ts';
import { createSigner } from '../../../src/wire/createSigner.ts';
import { createSocket } from '../../../src/wire/createSocket.ts';
import { drawTape, TAPE_START } from './drawTape.ts';

const QUIET = 120;
const ours = defaultDialect;
const env = createLiveEnv();

export interface Credentials {
  keyId: string;
  secret: string;
}

/** What a test needs of the service: given prices, or a tape generated from a seed. */
export interface ServiceOptions {
  /** Closes of BTC's one-minute bars, from now on; null is a minute without a bar. */
  prices?: ReadonlyArray<number | null>;
  /** Traded in each of those bars, base units. */
  volume?: number;
  settings?: Partial<PaperSettingsInput>;
  /** Dialect of the service; by default ours. */
  dialect?: Dialect;
}

/**
 * The real service on real sockets, paused at its start, with its clients: the
 * signed client, a socket with its commands, and the controls that move the replay.
 */
export async function openService(options: ServiceOptions = {}) {
  const { prices, volume, settings = {}, dialect } = options;
  const drawn = { quiet: QUIET, ...(volume === undefined ? {} : { volume }) };
  const made = (symbol: string, startPrice: number): Feed =>
    generateFeed({
      symbol,
      startPrice,
      bars: 1_500,
      interval: '1m',
      seed: 'flows',
      startTime: TAPE_START,
    });
  const feeds = [
    prices === undefined ? made('BTC', 60_000) : drawTape(prices, drawn),
    made('HYPE/USDC', 25),
    made('xyz:TSLA', 300),
  ];
  const server = await startPaperServer(
    {
      settings: paperSettings.parse({
        feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }],
        connections: [{ label: 'Second', balance: 5_000 }],
        balance: 100_000,
        paused: true,
        speed: 'max',
        warmup: QUIET,
        port: 0,
        ...settings,
      }),
      data: { feeds, funding: {} },
      ...(dialect === undefined ? {} : { dialect }),
    },
    env,
  );
  onTestFinished(() => server.close());
  const { baseUrl, wsUrl, keyId, secret } = server;
  const own = connect({ baseUrl, wsUrl }, { keyId, secret });
  const controls = createPaperControls(baseUrl, env);
  onTestFinished(() => controls.close());

  return {
    ...own,
    controls,
    baseUrl,
    wsUrl,
    keyId,
    secret,
    /** Moves the replay; where a socket is open, all frames that follow have arrived then. */
    async advance(bars: number) {
      const { time } = await controls.advance({ bars, interval: '1m' });
      if (own.stream.frames.length === 0) return time;
      await own.stream.next(({ channel, event, data }) => {
        const { to_time: toTime } = data as { to_time: number };
        return channel === '_meta' && event === 'advanced' && toTime === time;
      });
      return time;
    },
    /** A client whose key may do less, on `main`. */
    async clientWith(...scopes: Scope[]) {
      const key = await controls.createKey({ label: scopes.join(' '), scopes });
      return connect({ baseUrl, wsUrl }, { keyId: key.key_id, secret: key.secret }).client;
    },
  };
}

export type Service = Awaited<ReturnType<typeof openService>>;

/** The client, the socket and its commands for one key. */
export function connect(
  { baseUrl, wsUrl }: { baseUrl: string; wsUrl: string },
  { keyId, secret }: Credentials,
) {
  const signer = createSigner({ keyId, secret, dialect: ours, clock: env.clock });
  const http = createHttpClient({ baseUrl, dialect: ours, signer, env });
  const decode = (text: string) => decodeFrame(text, ours);
  const socket = createSocket({ wsUrl, dialect: ours, signer, env, decode });
  onTestFinished(async () => {
    await Promise.all([http.close(), socket.close()]);
  });
  return {
    client: createClient(http, ours),
    commands: createCommands(socket, ours),
    stream: createListener(socket),
    signer,
  };
}

type Wanted = (frame: StreamFrame) => boolean;

/** Keeps every frame of a socket in the order of arrival; each was checked against its schema. */
function createListener(socket: ReturnType<typeof createSocket>) {
  const frames: StreamFrame[] = [];
  const controls: Array<{ type: string; id?: string | null | undefined }> = [];
  let messages = 0;
  const next = async (wanted: Wanted): Promise<StreamFrame> => {
    await expect.poll(() => frames.some(wanted), { interval: 5, timeout: 10_000 }).toBe(true);
    return frames.find(wanted)!;
  };
  return {
    frames,
    next,
    /** Opens the socket; resolves with the welcome. */
    async open(): Promise<StreamFrame> {
      socket.open({
        onFrame: (server) => {
          if (server.kind === 'stream') frames.push(server.frame);
          else controls.push(server.frame);
        },
        onFault: (fault) => expect.fail(`An undecodable frame: ${fault.detail}`),
        onStatus: () => {},
      });
      return next(({ event }) => event === 'welcome');
    },
    /** Subscribes; resolves once it is acknowledged or refused. */
    async subscribe(channel: string, params: Record<string, unknown> = {}) {
      const id = `sub-${(messages += 1)}`;
      socket.send({ id, op: 'subscribe', channel, params });
      await expect.poll(() => controls.some((frame) => frame.id === id)).toBe(true);
      return controls.find((frame) => frame.id === id)!;
    },
    /** The data of a channel's events so far, oldest first. */
    // Tests read any field; the decoder has checked the shape.
    // oxlint-disable-next-line typescript/no-explicit-any
    received: (channel: string, event: string): any[] =>
      frames
        .filter((frame) => frame.channel === channel && frame.event === event)
        .map(({ data }) => data),
    /** The events of a channel so far, by name. */
    events: (channel: string): string[] =>
      frames.filter((frame) => frame.channel === channel).map(({ event }) => event),
  };
}

/** The error of a refused call: `code` and details. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ code: string; status: number; details: Record<string, unknown> }> {
  const thrown = await call.then(
    () => expect.fail('It was not refused.'),
    (error: unknown) => error,
  );
  expect(thrown).toHaveProperty('code');
  const { code, status, details } = thrown as { code: string; status: number; details: never };
  return { code, status, details };
}
