import { describe, expect, test, vi } from 'vitest';
import {
  CHANNELS,
  COMMANDS,
  INTERVAL_MS,
  INTERVALS,
  type ChannelName,
  type Interval,
} from '../../../src/contract/index.ts';
import { createStreamHub } from '../../../src/paper/core/createStreamHub.ts';
import { StreamSubscription } from '../../../src/paper/core/StreamSubscription.ts';
import type { Feed } from '../../../src/paper/index.ts';
import { createBench } from '../engine/bench.ts';
import {
  openTestService,
  RESTING_ORDER,
  TAPE_START,
  testFeed,
  type TestService,
} from './openTestService.ts';
import { openTestSession, type Message, type TestSession } from './openTestSession.ts';

const WARM = TAPE_START + 500 * 60_000;
/** A Monday's midnight, so that all intervals start here. */
const WEEK_START = Date.UTC(2024, 0, 1);
const NO_PORT = { frame: () => {}, control: () => {}, close: () => {} };

const subscribe = (session: TestSession, channel: string, params?: object): Message =>
  session.send({ id: 's', op: 'subscribe', channel, ...(params === undefined ? {} : { params }) });

describe('STR-4: the first frame is the welcome', () => {
  test('it carries a connectivity snapshot and server time', () => {
    const service = openTestService();
    const { messages } = openTestSession(service);
    const layers = { market_data: 'ok', orders: 'ok', account: 'ok', executions: 'ok' };
    expect(messages).toEqual([
      {
        channel: '_meta',
        params: {},
        event: 'welcome',
        wallet: 'main',
        seq: 1,
        ts: WARM,
        data: { connectivity: layers, server_time: service.wall.now },
      },
    ]);
  });

  test('degradation and recovery of a layer are announced to every session, in sequence', () => {
    const service = openTestService();
    const sessions = [openTestSession(service), openTestSession(service)];
    service.core.setLayer('orders', 'degraded', 'venue slow');
    service.core.setLayer('orders', 'degraded', 'still');
    service.core.setLayer('orders', 'ok', null);
    for (const session of sessions) {
      expect(
        session.frames('_meta').map(({ event, seq, data }) => [event, seq, data.layer]),
      ).toEqual([
        ['welcome', 1, undefined],
        ['degraded', 2, 'orders'],
        ['recovered', 3, 'orders'],
      ]);
    }
    expect(service.ask('/v1/status').body.status).toBe('ok');
  });
});

describe('STR-1, STR-7: subscriptions', () => {
  test.each([
    ['account.state', {}],
    ['tpsl.watch', {}],
    ['executions', {}],
    ['monitors', {}],
    ['candles', { symbol: 'BTC', interval: '1m' }],
    ['price', { symbol: 'BTC' }],
  ])(
    '%s: the ack comes first, then a frame of seq 1 with the params as sent',
    (channel, params) => {
      const service = openTestService();
      const session = openTestSession(service);
      session.clear();
      subscribe(session, channel, params);
      service.core.engine.advanceTo(WARM + 60_000);
      const [ack, ...frames] = session.messages;
      expect(ack).toEqual({ type: 'ack', id: 's', wallet: 'main', channel, params });
      for (const [index, frame] of frames.entries()) {
        expect(frame).toMatchObject({ channel, params, wallet: 'main', seq: index + 1 });
        const { events } = CHANNELS[channel as ChannelName];
        const schema = (events as Record<string, { safeParse(data: unknown): object }>)[
          frame.event
        ];
        expect(schema?.safeParse(frame.data)).toMatchObject({ success: true });
      }
      const silent = ['account.state', 'tpsl.watch', 'executions', 'monitors'];
      if (!silent.includes(channel)) expect(frames.length).toBeGreaterThan(1);
    },
  );

  describe('bars that cannot be made of the feed', () => {
    const feedAt = (interval: Interval): Feed => {
      const feed = testFeed('BTC', 40);
      const step = INTERVAL_MS[interval];
      return { ...feed, interval, time: feed.time.map((_time, at) => WEEK_START + at * step) };
    };

    test.each(INTERVALS)('of a feed at %s are refused alike, and by no ack first', (own) => {
      const service = openTestService({ limits: 'off', warmup: 5 }, { feeds: [feedAt(own)] });
      const other = openTestSession(service);
      subscribe(other, 'candles', { symbol: 'BTC', interval: own });
      subscribe(other, 'price', { symbol: 'BTC' });
      for (const interval of INTERVALS) {
        const session = openTestSession(service);
        session.clear();
        const params = { symbol: 'BTC', interval };
        const isServed = INTERVAL_MS[interval] % INTERVAL_MS[own] === 0;
        const answer = subscribe(session, 'candles', params);
        const refused = { code: 'validation_failed', details: { fields: [{ path: 'interval' }] } };
        if (isServed) expect(answer).toMatchObject({ type: 'ack', params });
        else expect(session.messages).toMatchObject([{ type: 'error', id: 's', error: refused }]);
        const body = { ...params, indicators: [{ id: 'a', indicator: 'sma' }] };
        for (const asked of [
          service.ask(`/v1/candles/BTC?interval=${interval}`),
          service.ask(`/v1/stream/sse?channels=candles:BTC:${interval}`),
          service.ask('/v1/indicators/evaluate', { body }),
        ]) {
          if (isServed) expect(asked.body.error?.code).not.toBe('validation_failed');
          else expect(asked.body.error).toMatchObject(refused);
        }
        other.clear();
        service.core.engine.advanceTo(service.core.engine.now + INTERVAL_MS[own]);
        expect(other.frames('candles')).not.toEqual([]);
        expect(other.frames('price')).not.toEqual([]);
        session.session.close();
      }
    });

    test('leave the streams as they were, wherever they are asked for', () => {
      const { engine, named } = createBench({ feeds: [feedAt('3m')] });
      const bars = (...intervals: Interval[]) => ({
        ticks: [],
        bars: intervals.map((interval) => ({ symbol: 'BTC', interval, forming: false })),
      });
      engine.setMarketInterest(bars('3m'));
      expect(() => engine.setMarketInterest(bars('15m', '5m'))).toThrow('cannot be made of it');
      engine.advanceTo(engine.now + 2 * INTERVAL_MS['3m']);
      expect(named('bar_closed')).toHaveLength(2);
    });

    test('leave the subscriptions as they were', () => {
      const asked: string[][] = [];
      const hub = createStreamHub(({ bars }) => {
        asked.push(bars.map(({ interval }) => interval));
        if (asked.at(-1)!.includes('5m')) throw new Error('not served');
      });
      const at = (interval: Interval) =>
        new StreamSubscription('candles', { symbol: 'BTC', interval }, 'main', NO_PORT);
      const [first, bad] = [at('3m'), at('5m')];
      hub.add(first);
      expect(() => hub.add(bad)).toThrow('not served');
      expect(hub.of('candles')).toEqual([first]);
      hub.remove(bad);
      hub.remove(first);
      expect(asked).toEqual([['3m'], ['3m', '5m'], ['3m'], ['3m'], []]);
    });
  });

  test('params may be omitted if none is needed', () => {
    const session = openTestSession(openTestService());
    expect(subscribe(session, 'executions')).toMatchObject({ type: 'ack', params: {} });
  });

  test('a second subscription with the same params restarts with a snapshot of seq 1', () => {
    const service = openTestService();
    const session = openTestSession(service);
    subscribe(session, 'candles', { symbol: 'BTC', interval: '1m' });
    service.core.engine.advanceTo(WARM + 120_000);
    subscribe(session, 'candles', { interval: '1m', symbol: 'BTC' });
    service.core.engine.advanceTo(WARM + 180_000);
    const events = session.frames('candles').map(({ event, seq }) => [event, seq]);
    expect(events).toEqual([
      ['snapshot', 1],
      ['bar_closed', 2],
      ['bar_closed', 3],
      ['snapshot', 1],
      ['bar_closed', 2],
    ]);
  });

  test('other params are another subscription with its own sequence', () => {
    const service = openTestService({}, { feeds: [testFeed(), testFeed('ETH')] });
    const session = openTestSession(service);
    for (const symbol of ['BTC', 'ETH']) {
      subscribe(session, 'candles', { symbol, interval: '1m', limit: 1 });
    }
    service.core.engine.advanceTo(WARM + 60_000);
    for (const symbol of ['BTC', 'ETH']) {
      const frames = session.frames('candles').filter(({ params }) => params.symbol === symbol);
      expect(frames.map(({ seq }) => seq)).toEqual([1, 2]);
    }
  });

  test('bar_forming goes to those who asked for it', () => {
    const service = openTestService();
    const with_ = openTestSession(service);
    const without = openTestSession(service);
    const params = { symbol: 'BTC', interval: '5m' };
    subscribe(with_, 'candles', { ...params, include_forming: true });
    subscribe(without, 'candles', params);
    service.core.engine.advanceTo(WARM + 120_000);
    expect(with_.frames('candles').map(({ event }) => event)).toContain('bar_forming');
    expect(without.frames('candles').map(({ event }) => event)).toEqual(['snapshot']);
  });

  test('unsubscribed market data is not produced', () => {
    const service = openTestService();
    const interests = vi.spyOn(service.core.engine, 'setMarketInterest');
    const session = openTestSession(service);
    const bars = { symbol: 'BTC', interval: '5m' };
    subscribe(session, 'price', { symbol: 'BTC' });
    subscribe(session, 'candles', bars);
    subscribe(session, 'candles', { ...bars, include_forming: true });
    expect(interests).toHaveBeenLastCalledWith({
      ticks: ['BTC'],
      bars: [{ ...bars, forming: true }],
    });
    session.session.close();
    expect(interests).toHaveBeenLastCalledWith({ ticks: [], bars: [] });
    const { engine } = service.core;
    const published = vi.spyOn(engine.market, 'quote');
    engine.advanceTo(WARM + 60_000);
    expect(published).not.toHaveBeenCalled();
  });

  test('nor by a new service', () => {
    const { engine } = openTestService().core;
    const published = vi.spyOn(engine.market, 'quote');
    engine.advanceTo(WARM + 60_000);
    expect(published).not.toHaveBeenCalled();
  });

  test('after unsubscribe and its ack no frame comes; _meta stays on', () => {
    const service = openTestService();
    const session = openTestSession(service);
    const params = { symbol: 'BTC' };
    subscribe(session, 'price', params);
    const off = session.send({ id: 'u', op: 'unsubscribe', channel: 'price', params });
    expect(off).toMatchObject({ type: 'ack', id: 'u', channel: 'price' });
    session.send({ id: 'm', op: 'unsubscribe', channel: '_meta' });
    session.clear();
    service.core.engine.advanceTo(WARM + 60_000);
    service.core.announceAdvanced(WARM + 60_000);
    expect(session.messages.map(({ channel, event }) => [channel, event])).toEqual([
      ['_meta', 'advanced'],
    ]);
  });

  test.each([
    [{ channel: 'gossip' }, 'unknown_channel'],
    [{ channel: 'price' }, 'validation_failed'],
    [{ channel: 'price', params: { symbol: 'DOGE' } }, 'unknown_symbol'],
    [{ channel: 'price', params: { symbol: 'BTC', depth: 3 } }, 'validation_failed'],
    [{ channel: 'account.state', params: { wallet: 'nobody' } }, 'unknown_wallet'],
    [{ channel: 'candles', params: { symbol: 'BTC', interval: '7m' } }, 'validation_failed'],
  ])('%j is refused with %s, by an error frame with its id', (wish, code) => {
    const session = openTestSession(openTestService());
    const error = session.send({ id: 'x', op: 'subscribe', ...wish });
    expect(error).toMatchObject({ type: 'error', id: 'x', wallet: 'main', error: { code } });
    expect(error.request_id).toMatch(/^req_/);
  });
});

describe('STR-5: wallets', () => {
  const connections = [{ label: 'second', balance: 7 }];

  test('STR-2: a wallet param selects a wallet; its frames report it', () => {
    const service = openTestService({ connections });
    const session = openTestSession(service);
    subscribe(session, 'account.state', { wallet: 'second' });
    expect(session.frames('account.state')[0]).toMatchObject({
      wallet: 'second',
      params: { wallet: 'second' },
      event: 'snapshot',
      data: { account: { wallet: 'second', equity: 7 }, positions: [], open_orders: [] },
    });
  });

  test('without one it is the session wallet; events of other wallets are not seen', () => {
    const service = openTestService({ connections });
    const main = openTestSession(service);
    const second = openTestSession(service, { wallet: 'second' });
    for (const session of [main, second]) subscribe(session, 'account.state');
    service.ask('/v1/order', { body: RESTING_ORDER });
    const orders = (session: TestSession) =>
      session.frames('account.state').filter(({ event }) => event === 'order');
    expect(orders(main)).toHaveLength(1);
    expect(orders(main)[0]).toMatchObject({ wallet: 'main', data: { status: 'open' } });
    expect(orders(second)).toEqual([]);
  });

  test('market data carries the session wallet', () => {
    const service = openTestService({ connections });
    const session = openTestSession(service, { wallet: 'second' });
    subscribe(session, 'price', { symbol: 'BTC' });
    service.core.engine.advanceTo(WARM + 60_000);
    expect(new Set(session.frames('price').map(({ wallet }) => wallet))).toEqual(
      new Set(['second']),
    );
  });
});

describe('STR-6: commands', () => {
  const order = { id: 'c1', op: 'command', command: 'place_order', args: RESTING_ORDER };

  test('a command answers with its correlation id, weight and request id', () => {
    const service = openTestService();
    const result = openTestSession(service).send(order);
    expect(result).toMatchObject({
      type: 'result',
      id: 'c1',
      wallet: 'main',
      ok: true,
      weight: 2,
      data: { order_id: 'ord_1', status: 'open', request: RESTING_ORDER },
    });
    expect(result.request_id).toMatch(/^req_/);
    expect(service.ask('/v1/rate-limits').body.used).toBe(3);
  });

  test('a replay has the first answer, at weight 1, in the fields of any result', () => {
    const session = openTestSession(openTestService());
    const keyed = { ...order, idempotency_key: 'once' };
    const first = session.send({ ...keyed, id: 'a' });
    const again = session.send({ ...keyed, id: 'b' });
    expect(Object.keys(first)).toEqual('type id wallet ok data weight request_id'.split(' '));
    expect(again).toEqual({ ...first, id: 'b', weight: 1, request_id: again.request_id });
  });

  test('it acts on the wallet it names', () => {
    const service = openTestService({ connections: [{ label: 'second' }] });
    const session = openTestSession(service);
    expect(session.send({ ...order, wallet: 'second' })).toMatchObject({
      wallet: 'second',
      ok: true,
    });
    const orders = { id: 'r', op: 'command', command: 'get_orders' };
    expect(session.send(orders).data.items).toEqual([]);
    expect(session.send({ ...orders, wallet: 'second' }).data.items).toHaveLength(1);
    expect(session.send({ ...orders, wallet: 'nobody' }).error.code).toBe('unknown_wallet');
  });

  test('path parameters travel in args, and so does the query of a read', () => {
    const session = openTestSession(openTestService());
    const { order_id: id } = session.send(order).data;
    const command = (name: string, args: object) =>
      session.send({ id: 'x', op: 'command', command: name, args });
    expect(command('modify_order', { id, price: 29_000 }).data.price).toBe(29_000);
    expect(command('get_orders', { limit: 1, symbol: 'BTC' }).data.items).toHaveLength(1);
    // Text is a number in a URL only.
    for (const name of ['limit', 'start_time', 'end_time']) {
      const { error } = command('get_orders', { [name]: '5' });
      expect(error).toMatchObject({
        code: 'validation_failed',
        details: { fields: [{ path: name, code: 'invalid_type' }] },
      });
    }
    for (const name of ['toString', 'constructor', 'hasOwnProperty'])
      expect(command('get_orders', { [name]: 'x' }).error.code).toBe('validation_failed');
    expect(command('cancel_order', { id }).data.status).toBe('cancelled');
    expect(command('bulk_cancel', { symbol: 'BTC' }).data).toEqual({ results: [] });
    for (const args of [{}, { id: '' }, { id: 7 }, { id: null }])
      expect(command('cancel_order', args)).toMatchObject({
        ok: false,
        error: {
          code: 'validation_failed',
          details: { fields: [{ path: 'id', code: 'required' }] },
        },
      });
    expect(command('cancel_order', { id, force: true }).error.code).toBe('validation_failed');
  });

  test('exactly the commands of the contract are known', () => {
    const session = openTestSession(openTestService());
    for (const command of Object.keys(COMMANDS)) {
      const result = session.send({ id: command, op: 'command', command, args: {} });
      expect(result).toMatchObject({ type: 'result', id: command });
      expect(result.error?.code).not.toBe('unknown_command');
    }
    const none = session.send({ id: 'n', op: 'command', command: 'withdraw', args: {} });
    expect(none).toMatchObject({ type: 'result', id: 'n', ok: false });
    expect(none.error.code).toBe('unknown_command');
  });

  test('scopes, budget and the mandatory key hold as on REST (ERR-1)', () => {
    const service = openTestService();
    service.addKey('vk_read', ['read']);
    const reader = openTestSession(service, { keyId: 'vk_read' });
    expect(reader.send(order).error).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'trade' },
    });
    const session = openTestSession(service);
    const launch = { id: 'l', op: 'command', command: 'execute', args: {} };
    expect(session.send(launch).error.code).toBe('idempotency_key_required');
    const read = { id: 'r', op: 'command', command: 'get_orders' };
    for (let spent = 0; spent < 1_200; spent += 2) session.send(read);
    expect(session.send(read)).toMatchObject({
      ok: false,
      weight: 0,
      error: { code: 'rate_limited' },
    });
  });
});

describe('a key that was revoked does nothing more over its stream', () => {
  const place = { id: 'o', op: 'command', command: 'place_order', args: RESTING_ORDER };
  const openOrders = (service: TestService): number =>
    service.ask('/v1/orders', { keyId: 'vk_other' }).body.items.length;
  /** A service with a session on `vk_gone`, and `vk_other` to look at it. */
  function opened(settings: Parameters<typeof openTestService>[0] = {}) {
    const service = openTestService(settings);
    for (const keyId of ['vk_gone', 'vk_other']) service.addKey(keyId, ['read', 'trade', 'algo']);
    const session = openTestSession(service, { keyId: 'vk_gone' });
    session.clear();
    return { service, session, revoke: () => service.core.keyring.revoke('vk_gone') };
  }
  const UNKNOWN = { code: 'unknown_key' };

  test('its messages are refused as its requests are', () => {
    const { service, session, revoke } = opened();
    revoke();
    const rest = service.ask('/v1/order', { keyId: 'vk_gone', body: RESTING_ORDER });
    expect(rest).toMatchObject({ status: 401, body: { error: UNKNOWN } });
    expect(session.send(place)).toMatchObject({
      type: 'result',
      id: 'o',
      ok: false,
      error: UNKNOWN,
    });
    const read = { id: 'r', op: 'command', command: 'get_orders' };
    expect(session.send(read)).toMatchObject({ type: 'result', ok: false, error: UNKNOWN });
    const asked = subscribe(session, 'price', { symbol: 'BTC' });
    expect(asked).toMatchObject({ type: 'error', id: 's', error: UNKNOWN });
    expect(openOrders(service)).toBe(0);
  });

  test.each(['place_order', 'cancel_order'])('%s that is under way is refused, too', (command) => {
    const { service, session, revoke } = opened({ latency: { order_ms: 1_000, cancel_ms: 1_000 } });
    const { engine, advanceTo } = service.core;
    session.send(place);
    if (command === 'cancel_order') {
      advanceTo(engine.now + 1_000);
      const [{ data }] = session.messages as [Message];
      session.send({ id: 'o', op: 'command', command, args: { id: data.order_id } });
    }
    const before = openOrders(service);
    session.clear();
    revoke();
    advanceTo(engine.now + 1_000);
    expect(session.messages).toMatchObject([{ type: 'result', ok: false, error: UNKNOWN }]);
    expect(openOrders(service)).toBe(before);
  });

  test('what comes over a stream that is being closed counts for nothing', () => {
    const { service, session } = opened();
    session.session.close();
    session.send(place);
    subscribe(session, 'price', { symbol: 'BTC' });
    service.core.setLayer('orders', 'degraded', 'venue slow');
    expect(session.messages).toEqual([]);
    expect(openOrders(service)).toBe(0);
  });

  test('what was sent before the stream was lost arrives', () => {
    const { service, session } = opened({ latency: { order_ms: 1_000, cancel_ms: 0 } });
    session.send(place);
    session.session.close();
    service.core.advanceTo(service.core.engine.now + 1_000);
    expect(openOrders(service)).toBe(1);
  });
});

describe('invalid messages', () => {
  test.each([
    ['{', 'invalid_json', null],
    ['null', 'validation_failed', null],
    ['{"id":"a","op":"dance"}', 'validation_failed', 'a'],
    ['{"id":7,"op":"subscribe","channel":"price"}', 'validation_failed', null],
    ['{"id":"a","op":"subscribe","channel":"_meta","surprise":1}', 'validation_failed', 'a'],
    ['[[[', 'invalid_json', null],
  ])('%s is answered with %s', (text, code, id) => {
    const session = openTestSession(openTestService());
    expect(session.send(text)).toMatchObject({ type: 'error', id, error: { code } });
  });
});
