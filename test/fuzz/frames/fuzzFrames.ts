import { isDeepStrictEqual } from 'node:util';
import { createDialect, type CandleRecord } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { decodeFrame } from '../../../src/frames/index.ts';
import { createWireLink } from '../../../src/runtime/links/createWireLink.ts';
import { createStreams, type AccountModel } from '../../../src/streams/index.ts';
import { createSigner, createSocket, type HttpClient } from '../../../src/wire/index.ts';
import type { ConnectionEvents } from '../../../src/wire/SocketConnection.ts';
import { createDraw } from '../Draw.ts';
import { FrameLine, type Delivery } from './FrameLine.ts';
import { FrameService } from './FrameService.ts';

export interface FramesReport {
  seed: string;
  frames: number;
  malformed: number;
  /** Faults that the client counted: each malformed frame, once. */
  counted: number;
  gaps: number;
  connections: number;
  /** Times at which all models were compared to the truth. */
  comparisons: number;
  findings: string[];
}

const CHANNELS = ['account.state', 'tpsl.watch', 'executions', 'monitors', 'candles'];
/** Interval of the comparisons. */
const ROUND = 250;
const SETTLE_MS = 30_000;
/** After a silence the link holds frames until the line is quiet. */
const HELD_MS = 100;
const MAX_FINDINGS = 20;

/**
 * Passes corrupted socket texts through decoder, link and streams, and compares the models with the
 * reference.
 */
export async function fuzzFrames(options: {
  frames: number;
  seed: string;
  onProgress?: (frames: number) => void;
}): Promise<FramesReport> {
  const draw = createDraw(options.seed);
  const env = createVirtualEnv({ seed: options.seed, startTime: 1_000 });
  const dialect = createDialect();
  const service = new FrameService(draw);
  const line = new FrameLine(draw);
  const report: FramesReport = {
    seed: options.seed,
    frames: 0,
    malformed: 0,
    counted: 0,
    gaps: 0,
    connections: 0,
    comparisons: 0,
    findings: [],
  };
  const find = (what: string): void => {
    if (report.findings.length < MAX_FINDINGS)
      report.findings.push(`frame ${report.frames}: ${what}`);
  };
  let connected: ConnectionEvents | null = null;

  const signer = createSigner({ keyId: 'vk_x', secret: 'vs_x', dialect, clock: env.clock });
  const socket = createSocket({
    wsUrl: 'ws://127.0.0.1:1/v1/stream',
    dialect,
    signer,
    env,
    decode: (text) => decodeFrame(text, dialect),
    connect(_options, events) {
      report.connections++;
      env.timers.after(10, () => {
        connected = events;
        service.disconnect();
        line.clear();
        line.push([service.welcome()]);
        events.onOpen();
      });
      return {
        get isOpen() {
          return connected === events;
        },
        bufferedBytes: 0,
        send: (text) => line.push(service.take(text)),
        close: () => Promise.resolve(),
      };
    },
  });
  const http: HttpClient = {
    request: () => Promise.resolve({ kind: 'not_sent', reason: 'no HTTP here' }),
    close: () => Promise.resolve(),
  };
  const link = createWireLink({ http, socket, env, market: 'frames' });
  const streams = createStreams({ link, env, defaultWallet: 'main' });
  streams.faults$.subscribe((fault) => {
    if (fault.kind === 'undecodable') report.counted++;
    if (fault.kind === 'gap') report.gaps++;
    if (fault.kind === 'candles_missing') find('candles_missing within the snapshot’s reach');
  });
  const opening = streams.open();
  const models = watch();
  env.queue.advanceTo(env.queue.now() + 10);

  function watch() {
    const seen = { account: null as AccountModel | null, bars: [] as CandleRecord[] };
    const maps: Record<string, ReadonlyMap<string, unknown>> = {};
    const fills = new Set<string>();
    const wallet = streams.wallet('main');
    wallet.account$.subscribe((model) => (seen.account = model));
    wallet.fills$.subscribe(({ fill_id: id }) => {
      if (fills.has(id)) find(`fill ${id} passed twice`);
      if (!service.fills.has(id)) find(`fill ${id} never was`);
      fills.add(id);
    });
    wallet.watchModel$.subscribe((model) => (maps['tpsl.watch'] = model));
    wallet.executionsModel$.subscribe((model) => (maps['executions'] = model));
    wallet.monitorsModel$.subscribe((model) => (maps['monitors'] = model));
    streams.candles('BTC', '1m', { history: 10, forming: true }).subscribe((event) => {
      if (event.kind === 'forming') return;
      const last = seen.bars.at(-1);
      if (last !== undefined && event.bar.time !== last.time + 60_000) {
        find(`bar ${event.bar.time} after ${last.time}`);
      }
      seen.bars.push(event.bar);
      if (seen.bars.length > 1_000) seen.bars.splice(0, 500);
    });
    return { seen, maps };
  }

  /** Everything that a malformed frame must leave unchanged. */
  const state = (): unknown[] => [
    models.seen.account,
    models.seen.bars.at(-1),
    ...Object.values(models.maps),
  ];

  function deliver(delivery: Delivery): void {
    if (connected === null) return;
    if (delivery.kind === 'broken') return cut('closed_1007');
    report.frames++;
    if (delivery.kind === 'frame') return connected.onText(delivery.text);
    report.malformed++;
    const [before, counted] = [state(), report.counted];
    connected.onText(delivery.text);
    const after = state();
    if (before.some((part, index) => part !== after[index])) {
      find(`a malformed frame changed a model: ${delivery.text.slice(0, 200)}`);
    }
    if (report.counted !== counted + 1) find(`not counted: ${delivery.text.slice(0, 200)}`);
  }

  function cut(reason: string): void {
    const lost = connected;
    connected = null;
    service.disconnect();
    line.clear();
    lost?.onLost(reason);
  }

  function pass(): void {
    try {
      for (const delivery of line.next()) deliver(delivery);
    } catch (error) {
      find(`thrown: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }

  /** After the faults: one more event per channel, so that a loss at the end shows, and time for snapshots. */
  function settle(): void {
    line.isClean = true;
    for (let until = env.queue.now() + SETTLE_MS; env.queue.now() < until;) {
      while (!line.isEmpty) pass();
      env.queue.advanceTo(env.queue.now() + 1_000);
      for (const channel of CHANNELS) line.push(service.change(channel));
    }
    while (!line.isEmpty) pass();
    env.queue.advanceTo(env.queue.now() + HELD_MS);
    compare();
    line.isClean = false;
  }

  function compare(): void {
    report.comparisons++;
    const { seen, maps } = models;
    const { account } = seen;
    if (account?.complete !== true) return find('the account stays incomplete');
    expectSame('positions', account.positions, service.positions);
    expectSame('balances', account.balances, service.balances);
    expectSame('orders', account.openOrders, service.orders);
    const ended = ({ status }: { status?: unknown }): boolean =>
      status === 'triggered' || status === 'completed' || status === 'stopped';
    const truths = {
      'tpsl.watch': service.watches,
      executions: service.executions,
      monitors: service.monitors,
    };
    for (const [channel, truth] of Object.entries(truths)) {
      const live = [...(maps[channel] ?? [])].filter(([, record]) => !ended(record as object));
      expectSame(channel, new Map(live), truth);
    }
    if (
      !isDeepStrictEqual(
        seen.bars.slice(-200),
        service.bars.slice(-Math.min(200, seen.bars.length)),
      )
    ) {
      find('candles differ');
    }
  }

  function expectSame(
    what: string,
    model: ReadonlyMap<string, unknown>,
    truth: ReadonlyMap<string, unknown>,
  ): void {
    const sorted = (map: ReadonlyMap<string, unknown>) =>
      [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    if (isDeepStrictEqual(sorted(model), sorted(truth))) return;
    find(
      `${what} differ: ${JSON.stringify(sorted(model))} where ${JSON.stringify(sorted(truth))} is`,
    );
  }

  while (report.frames < options.frames && report.findings.length < MAX_FINDINGS) {
    for (const until = report.frames + ROUND; report.frames < until;) {
      if (connected !== null && draw.chance(0.7)) line.push(service.step());
      if (draw.chance(0.001)) cut('closed_1012');
      pass();
      if (draw.chance(0.05) || connected === null) {
        env.queue.advanceTo(env.queue.now() + draw.int(1, 2_000));
      }
    }
    settle();
    options.onProgress?.(report.frames);
  }
  await opening;
  await link.close();
  if (Object.keys(Object.prototype).length > 0) find('Object.prototype was changed');
  return report;
}
