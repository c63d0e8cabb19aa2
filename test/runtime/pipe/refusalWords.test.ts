import { afterEach, expect, test } from 'vitest';
import { launch, placeOrder, setLeverage, type Intent } from '../../../src/intents/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = { symbol: 'BTC', side: 'buy', size: 0.01 } as const;

/** How it is refused, under which guards, and the specific part of the message. */
const refused: Array<[what: string, intent: Intent, guards: object, says: RegExp]> = [
  [
    'a symbol that it does not own',
    placeOrder.market({ ...buy, symbol: 'ETH' }),
    {},
    /ETH is not among its symbols \(BTC\) \[told: place_order buy 0\.01 ETH, upon /,
  ],
  [
    'leverage above the limit',
    setLeverage('BTC', { leverage: 7 }),
    { max_leverage: 3 },
    /leverage 7 is above 3 \[told: set_leverage BTC, upon /,
  ],
  [
    'a price outside of the collar',
    placeOrder.limit({ ...buy, price: 1 }),
    { price_collar_bps: 10 },
    /price 1 is \d+ bps from .* \[told: place_order buy 0\.01 BTC, upon /,
  ],
  [
    'leverage that the service has not',
    setLeverage('BTC', { leverage: 5_000 }),
    {},
    /5000 .*\d+.* \[told: set_leverage BTC, upon /,
  ],
  [
    'a size off the grid',
    placeOrder.market({ ...buy, size: 0.0123456789 }),
    {},
    /0\.0123456789 .*roundSize.* \[told: place_order buy 0\.0123456789 BTC, upon /,
  ],
  [
    'an order below the minimum',
    placeOrder.limit({ ...buy, size: 0.00001, price: 20_000 }),
    {},
    /minimum.* \(minimum \d+, value 0\.2\) \[told: place_order buy 0\.00001 BTC, upon /,
  ],
  [
    'what reduces where nothing is to be reduced',
    placeOrder.market({ ...buy, reduce_only: true }),
    {},
    /reduce.* \[told: place_order buy 0\.01 BTC, upon /i,
  ],
];

const CHANGED = /; instruments are read at the start, and this one has changed: restart the bot$/;
const offGrid = (path: string, code: string) => ({
  code: 'validation_failed',
  details: { fields: [{ path, code, message: 'too many digits' }] },
});
const limit = placeOrder.limit({ ...buy, price: 20_001 });
const withLeg = placeOrder.limit({
  ...buy,
  price: 20_001,
  stop_loss: { offset: { indicator: 'atr', mult: 1.5, interval: '1h' } },
});
const sweep = launch.ghostsweep({
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.01,
  params: { trigger_price: 20_001 },
  sweep_limit: 20_002,
});
const answers: Array<[what: string, intent: Intent, fault: object, isChanged: boolean]> = [
  ['a price of fewer digits', limit, offGrid('price', 'price_grid'), true],
  ['a size of fewer digits', limit, offGrid('size', 'too_many_decimals'), true],
  [
    'a price that was never valid',
    placeOrder.limit({ ...buy, price: 20_000.123456 }),
    offGrid('price', 'price_grid'),
    false,
  ],
  ['another field', limit, offGrid('price', 'too_small'), false],
  ['a field that is not there', limit, offGrid('legs.0.price', 'price_grid'), false],
  // A number that happens to be on the grid of prices is none.
  [
    'digits of a leg’s distance',
    withLeg,
    offGrid('stop_loss.offset.mult', 'too_many_decimals'),
    false,
  ],
  [
    'steps of leverage',
    setLeverage('BTC', { leverage: 3 }),
    offGrid('leverage', 'leverage_step'),
    false,
  ],
  ['a code that has a part by chance', limit, offGrid('price', 'sticky_price'), false],
  ['a limit of a sweep of fewer digits', sweep, offGrid('sweep_limit', 'tick_size'), true],
  ['a size of all', sweep, offGrid('total_size', 'off_grid'), true],
  // A service may write its details as it likes: what can't be read explains nothing, and ends nothing.
  ...[{ size: ['off grid'] }, 'size', [null], [{ path: ['size'], code: 'size_grid' }], [{}]].map(
    (fields): (typeof answers)[number] => [
      `fields that are ${JSON.stringify(fields)}`,
      limit,
      { code: 'validation_failed', details: { fields } },
      false,
    ],
  ),
  [
    'a readable field beside one that is not',
    limit,
    { code: 'validation_failed', details: { fields: [null, { path: 'size', code: 'size_grid' }] } },
    true,
  ],
  [
    'a higher minimum',
    limit,
    { code: 'below_order_minimum', details: { minimum: 50, value: 20 } },
    true,
  ],
  [
    'the minimum that is known',
    limit,
    { code: 'below_order_minimum', details: { minimum: 10, value: 2 } },
    false,
  ],
];

test.each(answers)(
  'a rejection for %s says whether the instrument has changed',
  async (_what, intent, fault, isChanged) => {
    const server = await openTestServer({ balance: 100_000 });
    open.push(server);
    const body = { error: { message: 'No.', ...fault }, request_id: 'req_1' };
    const reported = await openTestBot(server, {
      wire: ({ endpoint }, send) =>
        ['orders.place', 'leverage.set', 'executions.launch'].includes(endpoint)
          ? { kind: 'answered', response: { status: 422, headers: {}, body } }
          : send(),
    });
    open.push(reported);
    await reported.step(2);
    reported.propose(intent);
    await reported.step(2);
    const reasons = reported.events.flatMap((item) =>
      item.kind === 'intent' && item.event.state === 'rejected' ? [item.event.reason] : [],
    );
    expect(reasons).toEqual([expect.stringMatching(/^No\./)]);
    expect(CHANGED.test(String(reasons[0]))).toBe(isChanged);
  },
);

test.each(refused)(
  'a refusal of %s names its strategy, intent and cause',
  async (_what, intent, guards, says) => {
    const server = await openTestServer(
      { balance: 100_000 },
      { feeds: [testFeed('BTC'), testFeed('ETH')] },
    );
    open.push(server);
    const reported = await openTestBot(server, { guards });
    open.push(reported);
    await reported.step(2);
    reported.propose(intent);
    await reported.step(2);
    const ended = reported.events.flatMap((item) =>
      item.kind === 'intent' && ['denied', 'rejected'].includes(item.event.state)
        ? [item.event.reason]
        : [],
    );
    expect(ended).toEqual([expect.stringMatching(says)]);
  },
);
