import { ackFrame, CHANNELS, LAYERS, streamFrame, type ChannelName } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, refused, shaped, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { StreamProbe } from './kit/createStreamProbe.ts';
import type { Stage } from './kit/Stage.ts';
import { attach, openPosition, place, priceAt, priceOf, restingOrder } from './kit/trading.ts';

/** Every channel with the parameters that it needs. */
const subscriptions = (stage: Stage): Array<[ChannelName, Record<string, unknown>]> => {
  const { symbol } = stage.instrument;
  return [
    ['account.state', {}],
    ['tpsl.watch', {}],
    ['executions', {}],
    ['monitors', {}],
    ['candles', { symbol, interval: '1m' }],
    ['price', { symbol }],
    ['markets', { symbol }],
    ['orderbook', { symbol, depth: 5 }],
  ];
};

const channels = check('STR-1', 'read', 'every channel is there, over WebSocket', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  for (const [channel, params] of subscriptions(stage)) {
    const ack = await probe.subscribe(channel, params);
    equal([ack.type, ack.channel], ['ack', channel], `the answer to a subscription of ${channel}`);
    equal(ack.params, params, `params of the ack of ${channel}`);
    shaped(ackFrame, ack, 'the ack');
  }
  await probe.settle();
  for (const frame of probe.frames) checkFrame(frame);
  stage.found('stream.channels', 'all of them', true);
});

/** The envelope, and the data in the shape of its event. */
function checkFrame(frame: Json): void {
  shaped(streamFrame, frame, `a frame of ${frame.channel}`);
  const channel: { events: Record<string, unknown> } | undefined =
    CHANNELS[frame.channel as ChannelName];
  const schema = channel?.events[frame.event];
  that(schema !== undefined, `a known event of ${frame.channel}`, frame.event);
  shaped(schema as Parameters<typeof shaped>[0], frame.data, `the data of ${frame.event}`);
}

const sse = check('STR-1', 'paper', 'channels over server-sent events', async (stage) => {
  const me = await stage.actor();
  const { symbol } = stage.instrument;
  // A colon or comma inside a value would end it.
  const name = `candles:${symbol.replace(/[%:,]/g, encodeURIComponent)}:1m`;
  const channelList = `${name},account.state`;
  const hasBoth = (text: string): boolean =>
    text.includes('bar_closed') && text.includes('event: account.state');
  const { status, text } = await stage.events(me, channelList, hasBoth, () => stage.tape.bars(1));
  equal(status, 200, 'status of the event stream');
  that(hasBoth(text), 'a closed bar and an account snapshot', text.slice(0, 300));
  const events = text
    .split('\n\n')
    .map((block) =>
      Object.fromEntries(
        block
          .split('\n')
          .map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 1).trim()]),
      ),
    );
  const bar = events.find((event) => event['data']?.includes('bar_closed'));
  const frame = JSON.parse(bar?.['data'] ?? '{}') as Json;
  checkFrame(frame);
  equal([bar?.['event'], bar?.['id']], ['candles', `${name}:${frame.seq}`], 'event and id');
  const state = events.find((event) => event['event'] === 'account.state');
  const first = JSON.parse(state?.['data'] ?? '{}') as Json;
  equal([first.event, first.seq, state?.['id']], ['snapshot', 1, 'account.state:1'], 'first frame');
});

const sseRefusals = check(
  'STR-1',
  'read',
  'an event stream is checked like any request',
  async (stage) => {
    const me = await stage.actor();
    const path = `/v1${stage.dialect.endpoints['streams.sse'].path}`;
    const unsigned = await me.raw({
      method: 'GET',
      path: `${path}?channels=price:X`,
      signing: { off: true },
    });
    equal(unsigned.status, 401, 'status of an unsigned event stream');
    const unknown = await me.raw({ method: 'GET', path: `${path}?channels=no.such` });
    equal(
      [unknown.status, unknown.body?.error?.code],
      [404, 'unknown_channel'],
      'an unknown channel',
    );
  },
);

const account = check(
  'STR-2',
  'paper',
  'account.state: snapshot, then each change',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    await probe.subscribe('account.state');
    const resting = await place(me, await restingOrder(stage, me));
    await openPosition(stage, me);
    await probe.settle();
    const frames = probe.of('account.state');
    equal(frames[0]?.event, 'snapshot', 'event of the first frame');
    const names = new Set(frames.map((frame) => frame.event));
    for (const name of ['order', 'fill', 'position', 'balance']) {
      that(names.has(name), `the event ${name}`, [...names]);
    }
    for (const frame of frames) checkFrame(frame);
    const order = frames.find((frame) => frame.data.order_id === resting.order_id);
    const {
      queued: _queued,
      price_from_resolution: _price,
      entry_track: _track,
      ...record
    } = resting;
    for (const field of ['order_id', 'price', 'size', 'status', 'client_order_id']) {
      equal(order?.data[field] ?? null, record[field] ?? null, `${field} of the order event`);
    }
    const late = await stage.stream(me);
    await late.subscribe('account.state');
    await late.settle();
    const { data } = late.of('account.state', 'snapshot')[0];
    equal(
      data.open_orders.map((row: Json) => row.order_id),
      [resting.order_id],
      'open orders',
    );
    equal(data.positions.length, 1, 'positions in the snapshot');
  },
);

const liquidation = check('STR-2', 'paper', 'a liquidation is reported', async (stage) => {
  const { max_leverage, symbol } = stage.instrument;
  const actors: Array<{ me: Actor; probe: StreamProbe }> = [];
  for (const side of ['buy', 'sell'] as const) {
    const me = await stage.cast({ balance: 200 * stage.scale });
    const leverage = { params: { symbol }, body: { leverage: max_leverage } };
    accepted(await me.call('leverage.set', leverage), 'the maximum leverage');
    const probe = await stage.stream(me);
    await probe.subscribe('account.state');
    await openPosition(stage, me, { side, value: 200 * max_leverage * 0.9 });
    actors.push({ me, probe });
  }
  const reported = await stage.tape.until('a liquidation', 1_500, async () => {
    for (const { probe } of actors) await probe.settle();
    return actors.find(({ probe }) => probe.of('account.state', 'liquidation').length > 0);
  });
  const [frame] = reported.probe.of('account.state', 'liquidation');
  equal([frame.data.symbol, frame.wallet], [symbol, reported.me.wallet], 'symbol and wallet');
  const flat = await reported.me.call('positions.get', { params: { symbol } });
  refused(flat, 404, 'no_position', 'the position after its liquidation');
});

const watch = check('STR-3', 'paper', 'tpsl.watch: rows, arming, retirement', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  await probe.subscribe('tpsl.watch');
  await openPosition(stage, me);
  const { mark } = await priceOf(stage, me);
  const stop_loss = { price: priceAt(stage.instrument, mark, 0.8) };
  const { legs } = accepted(await attach(stage, me, { stop_loss }), 'a stop');
  const { price: _price, ...rest } = await restingOrder(stage, me);
  const level = { indicator: 'keltner', series: 'lower', params: { mult: 6 }, interval: '1m' };
  const order = await place(me, { ...rest, price_from: { ...level, track: true } });
  await probe.settle();
  const armed = probe
    .of('tpsl.watch', 'leg_armed')
    .map(({ data }) => [data.watch_kind, data.leg_id]);
  equal(armed, [['leg', legs.stop_loss.leg_id]], 'leg_armed frames');
  const late = await stage.stream(me);
  await late.subscribe('tpsl.watch');
  await late.settle();
  const { rows } = late.of('tpsl.watch', 'snapshot')[0].data;
  const seen = rows.map((row: Json) => [row.watch_kind, row.leg_id ?? row.watch_id]).sort();
  const { watch_id } = order.entry_track;
  equal(
    seen,
    [
      ['entry', watch_id],
      ['leg', legs.stop_loss.leg_id],
    ],
    'rows of a snapshot',
  );
  const other = stage.instruments.find(({ symbol }) => symbol !== stage.instrument.symbol);
  if (other === undefined) return;
  const elsewhere = await stage.stream(me);
  await elsewhere.subscribe('tpsl.watch', { symbol: other.symbol });
  await elsewhere.settle();
  equal(elsewhere.of('tpsl.watch', 'snapshot')[0]?.data.rows, [], 'rows of another symbol');
});

const welcome = check('STR-4', 'read', 'the welcome has a connectivity snapshot', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const [first] = probe.frames;
  equal([first?.channel, first?.event], ['_meta', 'welcome'], 'the first frame');
  checkFrame(first);
  const layers = Object.keys(first.data.connectivity);
  for (const layer of LAYERS) that(layers.includes(layer), `the layer ${layer}`, layers);
});

const degradation = check(
  'STR-4',
  'paper',
  '_meta reports degradation and recovery',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    await stage.paper.addFaults([{ kind: 'degrade_layer', layer: 'orders' }]);
    const { layers } = accepted(await me.call('utility.status'), 'the status');
    equal(layers.orders === 'ok', false, 'whether the degraded layer is ok');
    await stage.paper.clearFaults();
    await probe.settle();
    const reported = probe.of('_meta').map((frame) => [frame.event, frame.data.layer]);
    const events = reported.filter(([event]) => event === 'degraded' || event === 'recovered');
    equal(
      events,
      [
        ['degraded', 'orders'],
        ['recovered', 'orders'],
      ],
      'events on _meta',
    );
    const after = accepted(await me.call('utility.status'), 'the status');
    equal(after.layers.orders, 'ok', 'the layer afterwards');
  },
);

const attribution = check('STR-5', 'paper', 'every frame names its wallet', async (stage) => {
  const me = await stage.actor();
  const other = await stage.cast({});
  const probe = await stage.stream(me);
  for (const [channel, params] of subscriptions(stage)) await probe.subscribe(channel, params);
  const ack = await probe.subscribe('account.state', { wallet: other.wallet });
  equal(ack.wallet, other.wallet, 'wallet of the ack of another wallet');
  await openPosition(stage, me);
  await place(other, await restingOrder(stage, other));
  await stage.tape.bars(1);
  await probe.settle();
  for (const frame of probe.log) {
    that(typeof frame.wallet === 'string' && frame.wallet !== '', 'a wallet on every frame', frame);
  }
  for (const frame of probe.of('account.state')) {
    const wanted = frame.params.wallet ?? me.wallet;
    equal(frame.wallet, wanted, `wallet of a frame for ${JSON.stringify(frame.params)}`);
  }
  const foreign = probe.of('account.state', 'order').filter((f) => f.wallet === other.wallet);
  that(foreign.length > 0, 'an order event of the other wallet', probe.of('account.state').length);
});

const attributionRead = check('STR-5', 'read', 'frames and acks name a wallet', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  await probe.subscribe('price', { symbol: stage.instrument.symbol });
  await probe.settle();
  for (const frame of probe.log) {
    that(typeof frame.wallet === 'string' && frame.wallet !== '', 'a wallet on every frame', frame);
  }
});

const order = check('STR-7', 'read', 'the ack comes first, seq counts from 1', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const params = { symbol: stage.instrument.symbol, interval: '1m' };
  await probe.subscribe('candles', params);
  await probe.settle();
  const ack = probe.log.findIndex((frame) => frame.type === 'ack' && frame.channel === 'candles');
  const first = probe.log.findIndex(
    (frame) => frame.type === undefined && frame.channel === 'candles',
  );
  that(ack >= 0 && first > ack, 'the ack before the first frame', { ack, first });
  const [snapshot] = probe.of('candles');
  equal(
    [snapshot.event, snapshot.seq, snapshot.params],
    ['snapshot', 1, params],
    'the first frame',
  );
  await probe.subscribe('candles', params);
  await probe.settle();
  const again = probe.of('candles', 'snapshot').at(-1);
  equal(again.seq, 1, 'seq of the snapshot of a second subscription');
  equal(probe.of('candles', 'snapshot').length, 2, 'number of snapshots');
  equal(probe.of('_meta', 'welcome')[0]?.seq, 1, 'seq of the welcome');
});

const counting = check(
  'STR-7',
  'paper',
  'seq counts up by 1, channel by channel',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    for (const [channel, params] of subscriptions(stage)) await probe.subscribe(channel, params);
    await openPosition(stage, me);
    await stage.tape.bars(5);
    await probe.settle();
    for (const [channel] of [['_meta'], ...subscriptions(stage)] as Array<[ChannelName]>) {
      const numbers = probe.of(channel).map((frame) => frame.seq);
      equal(
        numbers,
        numbers.map((_, at) => at + 1),
        `seq of ${channel}`,
      );
    }
    const bars = probe.of('candles', 'bar_closed').map(({ data }) => data.time);
    equal(bars.length, 5, 'closed bars in five bars');
    that(probe.of('price', 'tick').length > 0, 'ticks in five bars', 'none');
    for (const frame of probe.frames) checkFrame(frame);
  },
);

const forming = check('STR-7', 'paper', 'forming bars come on request only', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const params = { symbol: stage.instrument.symbol, interval: '5m' };
  await probe.subscribe('candles', params);
  await probe.subscribe('candles', { ...params, include_forming: true });
  await stage.tape.bars(7);
  await probe.settle();
  const of = (event: string, wanted: unknown): Json[] =>
    probe.of('candles', event).filter((frame) => frame.params.include_forming === wanted);
  equal(of('bar_forming', undefined), [], 'forming bars nobody asked for');
  that(of('bar_forming', true).length > 0, 'forming bars on request', 'none');
  for (const { data } of of('bar_forming', true))
    equal(data.closed, false, 'closed of a forming bar');
  const closed = (frames: Json[]): number[] => frames.map(({ data }) => data.time);
  equal(closed(of('bar_closed', true)), closed(of('bar_closed', undefined)), 'closed bars of both');
});

const refusals = check('STR-7', 'read', 'what cannot be subscribed is refused', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  const codeOf = async (message: Record<string, unknown>): Promise<unknown[]> => {
    const { type, error, request_id } = await probe.ask(message);
    that(typeof request_id === 'string', 'a request_id on an error', request_id);
    return [type, error?.code];
  };
  const ask = (channel: string, params?: object) => codeOf({ op: 'subscribe', channel, params });
  equal(await ask('no.such'), ['error', 'unknown_channel'], 'an unknown channel');
  equal(await ask('price'), ['error', 'validation_failed'], 'a price without a symbol');
  equal(
    await ask('price', { symbol: 'NO-SUCH' }),
    ['error', 'unknown_symbol'],
    'an unknown symbol',
  );
  equal(await ask('account.state', { wallet: 'no-such' }), ['error', 'unknown_wallet'], 'a wallet');
  equal(await codeOf({ op: 'sing' }), ['error', 'validation_failed'], 'an unknown op');
  const text = await probe.askText('{oops');
  equal([text.type, text.error?.code], ['error', 'invalid_json'], 'a text that is not JSON');
  stage.found('stream.messages', 'acks, errors, frames as in the contract', true);
});

const unsubscribe = check(
  'STR-7',
  'paper',
  'after an unsubscription nothing comes',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    const params = { symbol: stage.instrument.symbol };
    await probe.subscribe('price', params);
    await stage.tape.bars(1);
    await probe.settle();
    that(probe.of('price').length > 0, 'ticks before', 'none');
    const ack = await probe.ask({ op: 'unsubscribe', channel: 'price', params });
    equal(ack.type, 'ack', 'the answer to an unsubscription');
    const before = probe.of('price').length;
    await stage.tape.bars(2);
    await probe.settle();
    equal(probe.of('price').length, before, 'number of ticks after it');
  },
);

export const streamChecks: readonly Check[] = [
  channels,
  sse,
  sseRefusals,
  account,
  liquidation,
  watch,
  welcome,
  degradation,
  attribution,
  attributionRead,
  order,
  counting,
  forming,
  refusals,
  unsubscribe,
];
