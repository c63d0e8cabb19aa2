import { describe, expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { CHANNELS, isChannelName } from '../../src/contract/frames.ts';
import { defaultDialect } from '../../src/contract/dialect.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { decodeFrame } from '../../src/frames/decodeFrame.ts';
import { createWireLink } from '../../src/runtime/links/createWireLink.ts';
import { createStreams, type StreamFault } from '../../src/streams/index.ts';
import { createHttpClient } from '../../src/wire/createHttpClient.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { createSocket } from '../../src/wire/createSocket.ts';
import { execution, monitor, watch } from '../fuzz/frames/frameRecords.ts';
import { startSocketServer } from '../wire/startSocketServer.ts';
import { accountSnapshot, bar, bars, fill, position } from './records.ts';

interface Wanted {
  channel: string;
  params: Record<string, unknown>;
  seq: number;
}

/** The state at count `n`, as each channel's snapshot and as its events. */
const snapshotOf = (n: number) => ({
  ...accountSnapshot({ positions: [position(n)] }),
  rows: [watch('leg_1', 'armed', n)],
  executions: [execution('exe_1', 'running', n)],
  monitors: [monitor('mon_1', 'armed', n)],
  candles: bars(0, n),
});
const eventsOf = (n: number): Record<string, Array<[event: string, data: object]>> => ({
  'account.state': [
    ['position', position(n)],
    ['fill', fill(`fill_${n}`)],
  ],
  'tpsl.watch': [['trail_moved', watch('leg_1', 'armed', n)]],
  executions: [['progress', execution('exe_1', 'running', n)]],
  monitors: [['fired', monitor('mon_1', 'armed', n)]],
  candles: [['bar_closed', bar(n - 1)]],
  price: [['tick', { mark: n, bid: n, ask: n, last: n }]],
});

/**
 * A service whose clock the test sets, as the conventions have it: a subscription requested again begins
 * again.
 */
async function startService() {
  const service = { now: 1_800_000_000_000, count: 1, wanted: new Map<string, Wanted>() };
  let current: WebSocket | undefined;
  const send = (wanted: Pick<Wanted, 'channel' | 'params' | 'seq'>, event: string, data: object) =>
    current?.send(JSON.stringify({ ...wanted, wallet: 'main', ts: service.now, event, data }));
  const begin = (wanted: Wanted): void => {
    wanted.seq = 0;
    if (!isChannelName(wanted.channel) || !('snapshot' in CHANNELS[wanted.channel].events)) return;
    wanted.seq = 1;
    send(wanted, 'snapshot', snapshotOf(service.count));
  };
  const server = await startSocketServer({
    onConnection(socket) {
      current = socket;
      service.wanted.clear();
      const data = { connectivity: {}, server_time: service.now };
      send({ channel: '_meta', params: {}, seq: 1 }, 'welcome', data);
    },
    onMessage(socket, { id, op, channel, params }) {
      if (op !== 'subscribe') return;
      const wanted = { channel, params: params ?? {}, seq: 0 } as Wanted;
      service.wanted.set(String(channel), wanted);
      socket.send(JSON.stringify({ type: 'ack', id, wallet: 'main', channel, params }));
      begin(wanted);
    },
  });
  return {
    service,
    server,
    /** A second later, something new on every channel. */
    happen() {
      service.now += 1_000;
      service.count += 1;
      for (const wanted of service.wanted.values()) {
        for (const [event, data] of eventsOf(service.count)[wanted.channel]!) {
          wanted.seq += 1;
          send(wanted, event, data);
        }
      }
    },
    beginAnew: () => service.wanted.forEach(begin),
    drop: () => current?.terminate(),
  };
}

async function setUp() {
  const fake = await startService();
  const env = { ...createLiveEnv(), random: { next: () => 0 } };
  const dialect = defaultDialect;
  const signer = createSigner({ keyId: 'vk_1', secret: 'vs_1', dialect, clock: env.clock });
  const { wsUrl } = fake.server;
  const http = createHttpClient({ baseUrl: wsUrl.replace('ws:', 'http:'), dialect, signer, env });
  const decode = (text: string) => decodeFrame(text, dialect);
  const socket = createSocket({ wsUrl, dialect, signer, env, decode });
  const link = createWireLink({ http, socket, env, market: 'frames' });
  onTestFinished(() => link.close());
  const streams = createStreams({ link, env, defaultWallet: 'main' });
  const faults: StreamFault[] = [];
  streams.faults$.subscribe((fault) => faults.push(fault));
  await streams.open();

  const latest: Record<string, unknown> = {};
  const passed: Record<'fills' | 'bars' | 'ticks', unknown[]> = { fills: [], bars: [], ticks: [] };
  const wallet = streams.wallet('main');
  wallet.account$.subscribe(({ positions, complete }) => {
    latest['account.state'] = complete ? positions.get('BTC')?.size : 'incomplete';
  });
  wallet.fills$.subscribe(({ fill_id: id }) => passed.fills.push(id));
  wallet.watchModel$.subscribe((rows) => (latest['tpsl.watch'] = rows.get('leg_1')?.trigger_price));
  wallet.executionsModel$.subscribe(
    (models) => (latest['executions'] = models.get('exe_1')?.filled_size),
  );
  wallet.monitorsModel$.subscribe(
    (models) => (latest['monitors'] = models.get('mon_1')?.fired_count),
  );
  streams.candles('BTC', '1m', { history: 1 }).subscribe(({ bar: { time } }) => {
    latest['candles'] = time / 60_000 + 1;
    passed.bars.push(time / 60_000 + 1);
  });
  streams.price('BTC').subscribe(({ mark }) => {
    latest['price'] = mark;
    passed.ticks.push(mark);
  });
  const { service } = fake;
  const channels = Object.keys(eventsOf(0));
  const everywhere = (value: number) =>
    Object.fromEntries(channels.map((channel) => [channel, value]));
  const subscribed = () =>
    expect.poll(() => service.wanted.size, { interval: 5 }).toBe(channels.length);
  /** Something new happens, and is seen on every channel. */
  const happens = async (): Promise<void> => {
    fake.happen();
    await expect
      .poll(() => latest, { timeout: 10_000, interval: 5 })
      .toEqual(everywhere(service.count));
  };
  await subscribed();
  return { ...fake, faults, passed, subscribed, happens };
}

const SECOND = 1_000;
const STEPS = [1, 2, 3, 30, 600].flatMap((seconds) => [seconds * SECOND, -seconds * SECOND]);
const numbers = (from: number, until: number): number[] =>
  Array.from({ length: until - from + 1 }, (_, index) => from + index);

describe.each(STEPS)('a clock that is set by %d ms', (step) => {
  test.each(['goes on with its numbers', 'begins anew unasked', 'takes a new connection'])(
    'leaves no channel silent if the service %s',
    async (how) => {
      const { service, beginAnew, drop, happens, subscribed, faults, passed } = await setUp();
      for (let at = 0; at < 3; at++) await happens();
      service.now += step;
      if (how === 'begins anew unasked') beginAnew();
      if (how === 'takes a new connection') {
        service.wanted.clear();
        drop();
        await subscribed();
      }
      for (let at = 0; at < 6; at++) await happens();
      const { count } = service;
      expect(passed.fills).toEqual(numbers(2, count).map((n) => `fill_${n}`));
      expect(passed.bars).toEqual(numbers(1, count));
      expect(passed.ticks).toEqual(numbers(2, count));
      // One line a channel at most, and not one a frame.
      const kinds = faults.map((fault) =>
        'channel' in fault ? `${fault.kind} ${fault.channel}` : '',
      );
      expect(kinds).toEqual([...new Set(kinds)]);
    },
  );
});
