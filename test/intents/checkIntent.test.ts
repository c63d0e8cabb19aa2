import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  attachTpsl,
  bulkCancel,
  checkIntent,
  closePosition,
  controlExecution,
  createMonitor,
  effectOf,
  launch,
  launchBasket,
  modifyOrder,
  needsOf,
  placeOrder,
  retireTpsl,
  stopLoss,
  takeProfit,
  unwindBy,
} from '../../src/intents/index.ts';
import { SAMPLES } from './samples.ts';

function faultOf(intent: unknown) {
  const result = checkIntent(intent);
  if (result.ok) throw new Error('It was taken.');
  return { code: result.fault.code, paths: result.fault.details.fields.map((f) => f.path) };
}

describe('checkIntent', () => {
  const buy = { symbol: 'BTC', side: 'buy', order_type: 'market' };

  test('names the field of a malformed request', () => {
    const size = (value: unknown) =>
      faultOf({ kind: 'place_order', request: { ...buy, size: value } });
    for (const value of [Number.NaN, Infinity, 0, -1, '1', undefined]) {
      expect(size(value)).toEqual({ code: 'validation_failed', paths: ['request.size'] });
    }
  });

  test("keeps the service's own code", () => {
    const request = { ...buy, size: 1, stop_loss: { at: { indicator: 'rsi', interval: '1h' } } };
    expect(faultOf({ kind: 'place_order', request })).toEqual({
      code: 'oscillator_level',
      paths: ['request.stop_loss.at.indicator'],
    });
  });

  test('refuses a value that is not an intent', () => {
    for (const value of [null, undefined, 7, 'buy', [], {}, { kind: 'toString' }]) {
      expect(faultOf(value).code).toBe('validation_failed');
    }
    expect(faultOf({ kind: 'buy' }).paths).toEqual(['kind']);
  });

  test('names what was emitted in place of an intent, and how to emit one', () => {
    const order = { kind: 'place_order', request: { ...buy, size: 1 } };
    const messageOf = (value: unknown) => {
      const result = checkIntent(value);
      return result.ok ? 'taken' : result.fault.message;
    };
    const where = 'was emitted where an intent is expected';
    expect(messageOf([order, order])).toBe(
      `A list of 2 ${where}: emit each intent by itself, with concatMap in place of map.`,
    );
    expect(messageOf(of(order))).toBe(
      `An Observable ${where}: emit each intent by itself, with concatMap in place of map.`,
    );
    const nothing = `for no decision emit nothing, with concatMap and an empty list, or filter.`;
    expect(messageOf(undefined)).toBe(`undefined ${where}: ${nothing}`);
    expect(messageOf(null)).toBe(`null ${where}: ${nothing}`);
    expect(messageOf(Promise.resolve(order))).toContain(`A promise ${where}: decide in the event`);
    expect(messageOf('buy')).toContain(`"buy" ${where}: make it with a builder`);
    expect(messageOf(() => order)).toContain(`A function ${where}: make it with a builder`);
    expect(messageOf({ kind: 'buy' })).toContain('(it is "buy")');
  });

  test('refuses unknown fields and names that would break identity', () => {
    expect(faultOf({ kind: 'retire_tpsl', symbol: 'BTC', sybmol: 1 }).paths).toEqual(['sybmol']);
    expect(faultOf(retireTpsl('BTC', { ref: 'a/b' })).paths).toEqual(['ref']);
    expect(faultOf(retireTpsl('BTC', { decision: 'a#0' })).paths).toEqual(['decision']);
  });

  const leg = { exit_style: 'algo_unwind', price: 1, unwind_algo: 'pacemaker' };
  const at = { indicator: 'ema', interval: '1h', params: { perod: 20 } };
  const launched = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 1 };
  const monitor = { action: { type: 'order', request: { ...buy, sizee: 1 } } };
  test.each([
    [{ kind: 'place_order', request: { ...buy, size: 1, reduceOnly: true } }, 'reduce_only'],
    [{ kind: 'place_order', request: { ...buy, sizee: 1 } }, 'size'],
    [{ kind: 'place_order', request: { ...buy, size: 1 }, not_afer: 1 }, 'not_after'],
    [{ kind: 'place_order', request: { ...buy, size: 1, stop_loss: { pirce: 1 } } }, 'price'],
    [{ kind: 'place_order', request: { ...buy, size: 1, stop_loss: { at } } }, 'period'],
    [{ kind: 'launch', request: { algo: 'pacemaker', totalSize: 1 } }, 'total_size'],
    [
      { kind: 'launch', request: { ...launched, params: { duration_seconds: 60, slice: 3 } } },
      'slices',
    ],
    [
      { kind: 'launch_basket', request: { legs: [{ algo: 'pacemaker', simbol: 'BTC' }] } },
      'symbol',
    ],
    [{ kind: 'create_monitor', request: monitor }, 'size'],
    [
      {
        kind: 'attach_tpsl',
        symbol: 'BTC',
        legs: { stop_loss: { ...leg, unwind_params: { slice: 2 } } },
      },
      'slices',
    ],
  ])('an unknown field is told with the one that was meant: %j', (intent, meant) => {
    const result = checkIntent(intent);
    const unknown = result.ok
      ? []
      : result.fault.details.fields.filter(({ code }) => code === 'unknown_field');
    expect(unknown.map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(` Did you mean ${meant}\\?$`)),
    ]);
  });

  test('a field that is missing is told with the one that is there in its place', () => {
    const result = checkIntent({ kind: 'place_order', request: { ...buy, sizee: 1 } });
    expect(!result.ok && result.fault.message).toBe(
      'request.size: Invalid input: expected number, received undefined; ' +
        'request.sizee: Unknown field `sizee`. Did you mean size?',
    );
  });

  test('a field that is like no other is only named', () => {
    const request = { ...buy, size: 1, urgency: 'high' };
    const result = checkIntent({ kind: 'place_order', request });
    expect(!result.ok && result.fault.message).toBe('request.urgency: Unknown field `urgency`.');
  });

  test('refuses a target with two names', () => {
    expect(faultOf({ kind: 'cancel_order', order: { order_id: 'a', ref: 'b' } }).paths).toEqual([
      'order',
    ]);
  });
});

test.each(['ref', 'decision'])('a malformed %s is quoted, with the alphabet', (field) => {
  const order = { kind: 'place_order', symbol: 'BTC', side: 'buy', type: 'market', size: 1 };
  const checked = checkIntent({ ...order, [field]: 'my/entry' });
  const words = '"my/entry" is not a valid name: it takes 1 to 128 of A-Z a-z 0-9 _ - . :';
  expect(JSON.stringify(checked)).toContain(JSON.stringify(words).slice(1, -1));
});

/** What an intent of each kind may do: add, only reduce, end or protect, change what exists, do what it does not show. */
const EFFECTS: Readonly<Record<string, string>> = {
  launch: 'adds',
  'launch reduce-only': 'reduces exits',
  place_order: 'adds',
  'place_order reduce-only': 'reduces exits',
  modify_order: 'controls opaque',
  cancel_order: 'exits controls',
  bulk_cancel: 'exits controls',
  attach_tpsl: 'reduces exits',
  retire_tpsl: 'exits controls',
  'control_execution stop': 'exits controls',
  'control_execution complete-at-market': 'controls opaque',
  close_position: 'reduces exits',
  set_leverage: 'controls',
  create_monitor: 'adds',
  pause_monitor: 'exits controls',
  stop_monitor: 'exits controls',
  launch_basket: 'adds',
};

test.each(SAMPLES.map((intent) => [intent.kind, intent] as const))(
  'an intent of the kind %s does what its kind may',
  (kind, intent) => {
    const request = 'request' in intent ? (intent.request as { reduce_only?: boolean }) : {};
    const action =
      'action' in intent && typeof intent.action === 'string' ? ` ${intent.action}` : '';
    const name = `${kind}${request.reduce_only === true ? ' reduce-only' : ''}${action}`;
    const { entries, reduceOnly, isExit, isControl, opaque } = effectOf(intent);
    const words = [
      entries.length > 0 && 'adds',
      reduceOnly && 'reduces',
      isExit && 'exits',
      isControl && 'controls',
      opaque && 'opaque',
    ];
    expect([name, words.filter(Boolean).join(' ')]).toEqual([name, EFFECTS[name]]);
  },
);

test('a close takes off whatever there is', () => {
  for (const intent of SAMPLES)
    if (intent.kind === 'close_position')
      expect(effectOf(intent).reductions).toEqual([{ symbol: intent.symbol, size: Infinity }]);
});

describe('effectOf', () => {
  const size = { symbol: 'BTC', side: 'buy', size: 2 } as const;

  test('an order or launch is an entry, unless it may only reduce', () => {
    expect(effectOf(placeOrder.market(size))).toMatchObject({
      symbols: ['BTC'],
      entries: [{ symbol: 'BTC', side: 'buy', size: 2 }],
      isExit: false,
    });
    expect(effectOf(placeOrder.market({ ...size, reduce_only: true }))).toMatchObject({
      entries: [],
      reduceOnly: true,
      isExit: true,
    });
  });

  test('an entry is never an exit, and only opaque or plain intents may lack both', () => {
    for (const intent of SAMPLES) {
      const { entries, isExit, reduceOnly } = effectOf(intent);
      if (entries.length > 0)
        expect({ isExit, reduceOnly }).toEqual({ isExit: false, reduceOnly: false });
    }
  });

  test('a monitor counts with what its action may add', () => {
    const monitor = SAMPLES.find((intent) => intent.kind === 'create_monitor')!;
    expect(effectOf(monitor)).toMatchObject({
      symbols: ['BTC', 'ETH'],
      entries: [{ symbol: 'BTC', side: 'buy', size: 0.5 }],
    });
  });

  test('a changed order, a resumed execution and a template open what the intent does not show', () => {
    const execution = { execution_id: 'exe_1' };
    expect(effectOf(controlExecution.resume(execution)).opaque).toBe(true);
    expect(effectOf(controlExecution.completeAtMarket(execution)).opaque).toBe(true);
    expect(effectOf(controlExecution.pause(execution)).opaque).toBe(false);
    expect(effectOf(modifyOrder({ ref: 'a' }, { size: 9 })).opaque).toBe(true);
    expect(effectOf(modifyOrder({ ref: 'a' }, { price: 9 })).opaque).toBe(true);
    expect(effectOf(launchBasket({ template_id: 'tpl_1' })).opaque).toBe(true);
  });
});

describe('needsOf', () => {
  const buy = { symbol: 'BTC', side: 'buy', size: 2 } as const;
  const level = { indicator: 'ema', interval: '1h', track: true } as const;

  test('LEG-11, TRK-6: trails and followed levels each take a row', () => {
    const trail = stopLoss.trail({ pct: 1, interval: '5m' });
    expect(needsOf(placeOrder.atLevel({ ...buy, price_from: level })).maintainedRows).toBe(1);
    const both = placeOrder.atLevel({ ...buy, price_from: level, stop_loss: trail });
    expect(needsOf(both).maintainedRows).toBe(2);
    const glide = { strategy: 'passive', limit_price_from: level } as const;
    const launched = launch.glidemaker({
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: glide,
    });
    expect(needsOf(launched).maintainedRows).toBe(1);
    const trigger = { type: 'price_level', symbol: 'BTC', direction: 'above', price: 1 } as const;
    const request = { ...buy, order_type: 'limit', price_from: level } as const;
    const order = createMonitor({
      trigger,
      action: { type: 'order', request: { ...request, stop_loss: trail } },
    });
    expect(needsOf(order)).toMatchObject({ maintainedRows: 2, executions: 0 });
    const asked = { symbol: 'BTC', side: 'sell', total_size: 1, algo: 'glidemaker' } as const;
    for (const [reduce_only, executions] of [
      [true, 0],
      [false, 1],
    ] as const) {
      const execution = { ...asked, params: glide, take_profit: trail, reduce_only } as never;
      const monitor = createMonitor({ trigger, action: { type: 'execute', request: execution } });
      expect(needsOf(monitor)).toMatchObject({ maintainedRows: 2, executions });
    }
    const once = { ...level, track: false } as const;
    expect(needsOf(placeOrder.atLevel({ ...buy, price_from: once })).maintainedRows).toBe(0);
  });

  test('AUTH-4: intents that an algorithm executes need algo as well', () => {
    const price = takeProfit.price(70_000);
    const attach = (legs: object) =>
      needsOf({ kind: 'attach_tpsl', symbol: 'BTC', legs: { take_profit: price, ...legs } });
    expect(attach({}).scopes).toEqual(['trade']);
    const unwinding = takeProfit.price(70_000, unwindBy.smartexit());
    expect(attach({ take_profit: unwinding }).scopes).toEqual(['trade', 'algo']);
  });
});

describe('a Pacemaker shorter than the service accepts', () => {
  const at = (seconds: number) => {
    const request = {
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: { duration_seconds: seconds },
    } as const;
    const leg = stopLoss.price(59_000, unwindBy.pacemaker({ duration_seconds: seconds }));
    const launched = launch.pacemaker(request);
    const trigger = { type: 'price_level', symbol: 'BTC', price: 1, direction: 'above' } as const;
    const closed = closePosition.byAlgo('BTC', { algo: 'pacemaker', params: request.params });
    const action = { type: 'execute', request: launched.request } as const;
    return [
      ['request.params.duration_seconds', launched],
      ['request.params.duration_seconds', closed],
      ['legs.stop_loss.unwind_params.duration_seconds', attachTpsl('BTC', { stop_loss: leg })],
      ['request.legs.0.params.duration_seconds', launchBasket({ legs: [launched.request] })],
      ['request.action.request.params.duration_seconds', createMonitor({ trigger, action })],
    ] as const;
  };

  test.each(at(1).map(([path], index) => [path, index] as const))('%s', (path, index) => {
    const taken = (seconds: number, least?: number) => checkIntent(at(seconds)[index]![1], least);
    expect(taken(60).ok).toBe(true);
    expect(taken(59)).toEqual({
      ok: false,
      fault: {
        code: 'validation_failed',
        message: `${path}: Too small: expected number to be >=60`,
        details: {
          fields: [{ path, code: 'too_small', message: 'Too small: expected number to be >=60' }],
        },
      },
    });
    expect(taken(30, 30).ok).toBe(true);
    expect(taken(299, 300)).toMatchObject({
      ok: false,
      fault: { message: `${path}: Too small: expected number to be >=300` },
    });
  });

  test('is reported once, beside other faults', () => {
    const { request } = launch.pacemaker({
      symbol: 'BTC',
      side: 'buy',
      total_size: -1,
      params: { duration_seconds: 0 },
    });
    expect(faultOf({ kind: 'launch', request }).paths).toEqual([
      'request.total_size',
      'request.params.duration_seconds',
    ]);
  });
});

test('ORD-4: an undefined symbol is not taken for all of the wallet', () => {
  const [symbol] = [] as string[];
  expect(checkIntent(bulkCancel({ symbol: symbol as string })).ok).toBe(false);
  expect(checkIntent(bulkCancel()).ok).toBe(true);
  expect(checkIntent(bulkCancel({ symbol: 'BTC' })).ok).toBe(true);
});
