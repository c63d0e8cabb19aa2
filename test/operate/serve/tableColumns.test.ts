import { expect, test } from 'vitest';

interface Column {
  label: string;
  text(row: unknown, at: object): string;
  tone?(row: unknown, at: object): string;
  press?(row: unknown): (() => void) | null;
  pressLabel?(row: unknown): string;
}
/** The module itself runs in a browser. */
const COLUMNS = '../../../src/operate/serve/page/tableColumns.ts';
const tables = (await import(COLUMNS)) as Record<string, unknown>;
const { EXECUTIONS, FEEDS, ORDERS, POSITIONS, WALLETS } = tables as Record<string, Column[]>;
const { strategyColumns, unansweredColumns } = tables as Record<
  string,
  (asks: object, takesCommands: () => boolean) => Column[]
>;

/** A market of the past whose bot runs today. */
const AT = { market: 10_000_000, wall: 900_000_000 };

/** What a table's columns show of a row, by their labels. */
const shown = (columns: readonly Column[] = [], row: unknown): Record<string, string> =>
  Object.fromEntries(columns.map(({ label, text }) => [label, text(row, AT)]));

/** The cells of a row that are worth a look, by their labels. */
const marked = (columns: readonly Column[] = [], row: unknown): Record<string, string> =>
  Object.fromEntries(
    columns
      .map(({ label, tone }) => [label, tone?.(row, AT) ?? ''] as const)
      .filter(([, tone]) => tone !== '' && tone !== 'muted' && tone !== 'strong'),
  );

test('each figure of a wallet is in the column that has its name', () => {
  const wallet = {
    wallet: 'main',
    equity: 1_000,
    day_pnl: -2,
    day_loss_limit: 30,
    day_loss_reached: null,
    leverage: 4,
    used_margin: 500,
    available_margin: 450,
    unrealized_pnl: 6,
    realized_pnl: 7,
    fees: 8,
    funding: 9,
  };
  expect(shown(WALLETS, wallet)).toEqual({
    wallet: 'main',
    equity: '1,000.00',
    'day’s P&L': '−2.00',
    'its limit': '−30.00',
    leverage: '4.00 ×',
    'margin used': '500.00',
    'margin free': '450.00',
    unrealised: '+6.00',
    realised: '+7.00',
    fees: '8.00',
    'funding paid': '9.00',
  });
});

test('sizes and prices are not rounded to what would hide the rest of an order', () => {
  const order = { side: 'buy', order_type: 'limit', filled_size: 9_999_996, size: 10_000_000 };
  expect(shown(ORDERS, { ...order, price: 104_523.45 })).toMatchObject({
    filled: '9,999,996 / 10,000,000',
    price: '104,523.45',
  });
  const position = { size: 12.345_67, stop_price: 0.000_000_412, uncovered_since: null };
  expect(
    shown(POSITIONS, { ...position, symbol: 'BTC', entry_price: 60_123.456_789_01 }),
  ).toMatchObject({
    size: '12.34567',
    stop: '0.000000412',
    entry: '60,123.45679',
  });
});

const position = {
  symbol: 'BTC',
  wallet: 'main',
  side: 'long',
  size: 3,
  entry_price: 100,
  mark_price: 99,
  notional: 297,
  unrealized_pnl: -3,
  stop_price: 95,
  stop_distance: 0.040_4,
  uncovered: 1,
  uncovered_since: AT.market - 42_000,
  liquidation_price: 50,
  owner: 'ema',
  ownership: 'owned',
};

test('each figure of a position is in the column that has its name', () => {
  expect(shown(POSITIONS, position)).toEqual({
    symbol: 'BTC',
    wallet: 'main',
    side: 'long',
    size: '3',
    entry: '100',
    mark: '99',
    notional: '297.00',
    'P&L': '−3.00',
    stop: '95',
    distance: '4.04 %',
    uncovered: '1 for 42 s',
    liquidation: '50',
    owner: 'ema',
  });
});

test.each([
  [{ uncovered_since: null }, 'uncovered', 'no', {}],
  [{}, 'uncovered', '1 for 42 s', { uncovered: 'loss strong' }],
  // Of a bar that the service dates later than the last one that came.
  [{ uncovered_since: AT.market + 60_000 }, 'uncovered', '1 for 0 s', { uncovered: 'loss strong' }],
  [{ uncovered_since: null, stop_price: null }, 'stop', 'none', { stop: 'warn' }],
  // Nothing asks for a stop of a spot holding.
  [{ uncovered_since: null, stop_price: null, symbol: 'HYPE/USDC' }, 'stop', '–', {}],
  [{ uncovered_since: null, ownership: 'ignored', owner: null }, 'owner', 'ignored', {}],
  [{ uncovered_since: null, ownership: 'unmanaged', owner: 'x' }, 'owner', 'unmanaged', {}],
  [
    { uncovered_since: null, ownership: 'orphan', owner: null },
    'owner',
    'ORPHAN',
    { owner: 'loss strong' },
  ],
])('a position with %j has in the column %s: %s', (more, label, text, tones) => {
  const row = { ...position, unrealized_pnl: 0, ...more };
  expect(shown(POSITIONS, row)).toMatchObject({ [label]: text });
  expect(marked(POSITIONS, row)).toEqual(tones);
});

test('gains and losses are coloured by their own sign, and zero is neither', () => {
  const wallet = { wallet: 'main', day_pnl: -1, unrealized_pnl: 2, realized_pnl: 0 };
  const limits = { day_loss_limit: 10, day_loss_reached: 10 };
  expect(marked(WALLETS, { ...wallet, ...limits, leverage: null })).toEqual({
    'day’s P&L': 'loss',
    'its limit': 'loss',
    unrealised: 'gain',
  });
  expect(shown(WALLETS, { ...wallet, ...limits, leverage: null })).toMatchObject({
    'its limit': '−10.00 reached',
    leverage: '–',
  });
  expect(
    marked(WALLETS, {
      ...wallet,
      ...limits,
      day_loss_reached: null,
      unrealized_pnl: 0,
      realized_pnl: -2,
    }),
  ).toEqual({ 'day’s P&L': 'loss', realised: 'loss' });
  expect(marked(POSITIONS, { ...position, uncovered_since: null })).toEqual({ 'P&L': 'loss' });
});

const intent = { key: 'k', kind: 'launch', symbol: 'ETH', state: 'accepted' };
const strategy = {
  name: 'ema',
  wallet: 'side',
  symbols: ['BTC', 'ETH'],
  life: 'running',
  fault: null,
  paused: null,
  stage: null,
  throttled: null,
  bar_symbol: 'ETH',
  bar_time: AT.market - 60_000,
  intent: { ...intent, time: AT.market - 7_000 },
  emitted: 5_000,
  accepted: 40,
  denied: { rare: 1, frequent: 1_200 },
  net_pnl: 4,
  fills: 39,
  shadow: null,
};

/** The columns of a bot that takes commands, or does not, and what was asked for. */
function withAsks(columns: typeof strategyColumns, takesCommands: boolean) {
  const asked: unknown[] = [];
  const asks = {
    onExplain: (key: string) => asked.push(['explain', key]),
    onCommand: (command: object) => asked.push(command),
  };
  const all = columns!(asks, () => takesCommands);
  const press = (label: string, row: unknown): void =>
    all.find((column) => column.label === label)!.press!(row)?.();
  const labels = (row: unknown): Record<string, string> =>
    Object.fromEntries(
      all.flatMap(({ label, pressLabel }) => (pressLabel ? [[label, pressLabel(row)]] : [])),
    );
  return { all, asked, press, labels };
}

test('each figure of a strategy is in the column that has its name', () => {
  expect(
    shown(
      strategyColumns!({}, () => false),
      strategy,
    ),
  ).toEqual({
    strategy: 'ema',
    market: 'BTC, ETH on side',
    life: 'running',
    'last bar': 'ETH 02:45:40',
    'bar’s age': '1 min',
    'last intent': 'launch ETH accepted',
    'intent’s age': '7 s',
    emitted: '5,000',
    accepted: '40',
    // The most frequent first.
    denied: 'frequent 1,200, rare 1',
    fills: '39',
    'net P&L since start': '+4.00',
    here: '',
    shadow: '–',
  });
});

test.each([
  [{}, 'running', ''],
  [{ life: 'quarantined', fault: 'it threw' }, 'quarantined · it threw', 'loss strong'],
  [{ life: 'waiting' }, 'waiting', 'warn'],
  [{ throttled: 'too many entries' }, 'running · too many entries', 'warn'],
  [{ paused: 'by hand' }, 'running · paused: by hand', 'warn'],
  // The version of the file trades as long as the new one is a shadow.
  [{ stage: 'shadow' }, 'running', ''],
  [{ stage: 'canary' }, 'running · new version, canary', ''],
])('the life of a strategy with %j is: %s', (more, text, tone) => {
  const row = { ...strategy, denied: {}, net_pnl: 0, ...more };
  const columns = strategyColumns!({}, () => false);
  expect(shown(columns, row)).toMatchObject({ life: text, denied: 'none' });
  expect(marked(columns, row)).toEqual(tone === '' ? {} : { life: tone });
});

test.each([
  ['running', null, 'running · 1,200 same, 3 parted · +80.00, live −9.00', {}],
  [
    'quarantined',
    'it threw',
    'quarantined: it threw · 1,200 same, 3 parted · +80.00, live −9.00',
    {
      shadow: 'warn',
    },
  ],
])('a shadow that is %s is compared with what trades', (state, reason, text, tones) => {
  const shadow = { state, reason, same: 1_200, parted: 3, net_pnl: 80, live_pnl: -9 };
  const row = { ...strategy, denied: {}, net_pnl: 0, shadow };
  const columns = strategyColumns!({}, () => false);
  expect(shown(columns, row)).toMatchObject({ shadow: text });
  expect(marked(columns, row)).toEqual(tones);
});

test('a row’s buttons do to the strategy what they say, and only where commands are taken', () => {
  const { all, asked, press, labels } = withAsks(strategyColumns!, true);
  const paused = { ...strategy, paused: 'by hand' };
  expect([strategy, paused].map((row) => shown(all, row)['here'])).toEqual(['Pause…', 'Resume…']);
  expect(labels(strategy)).toEqual({
    'last intent': 'Explain the last intent of ema: launch ETH accepted',
    here: 'Pause ema',
  });
  expect(labels(paused)['here']).toBe('Resume ema');
  for (const row of [strategy, paused, { ...strategy, intent: null }]) press('here', row);
  for (const row of [strategy, { ...strategy, intent: null }]) press('last intent', row);
  expect(asked).toEqual([
    { kind: 'pause', strategy: 'ema' },
    { kind: 'resume', strategy: 'ema' },
    { kind: 'pause', strategy: 'ema' },
    ['explain', 'k'],
  ]);
  const reading = withAsks(strategyColumns!, false);
  reading.press('here', strategy);
  expect(reading.asked).toEqual([]);
});

test('an intent without an answer is explained, and settled where commands are taken', () => {
  const row = {
    ...intent,
    time: AT.market - 90_000,
    strategy: 'ema',
    wallet: 'side',
    state: 'unresolved',
    reason: 'the line is dead',
    command: 'npx trimtab settle',
  };
  const { all, asked, press, labels } = withAsks(unansweredColumns!, true);
  expect(shown(all, row)).toEqual({
    intent: 'launch ETH',
    strategy: 'ema',
    wallet: 'side',
    state: 'unresolved',
    age: '2 min',
    why: 'the line is dead',
    'settle with': 'npx trimtab settle',
    here: 'Settle…',
  });
  expect(labels(row)).toEqual({
    intent: 'Explain launch ETH of ema',
    here: 'Settle launch ETH of ema',
  });
  press('intent', row);
  press('here', row);
  expect(asked).toEqual([['explain', 'k'], { kind: 'settle', row }]);
  const reading = withAsks(unansweredColumns!, false);
  reading.press('here', row);
  expect([reading.asked, shown(reading.all, row)['here']]).toEqual([[], '']);
});

const placed = {
  symbol: 'BTC',
  wallet: 'side',
  side: 'buy',
  reduce_only: false,
  filled_size: 1,
  created_time: AT.market - 90_000,
  owner: 'ema',
};

test('an order and an execution say what they are, how far they are and whose', () => {
  const order = { ...placed, order_id: 'ord_1', order_type: 'limit', size: 4, price: 9 };
  expect(shown(ORDERS, { ...order, status: 'open' })).toEqual({
    symbol: 'BTC',
    wallet: 'side',
    order: 'buy limit',
    filled: '1 / 4',
    price: '9',
    status: 'open',
    age: '2 min',
    owner: 'ema',
    id: 'ord_1',
  });
  expect(shown(ORDERS, { ...order, reduce_only: true })['order']).toBe('buy limit, reduce only');
  const execution = { ...placed, execution_id: 'exe_1', algo: 'twap', total_size: 4 };
  const twap = { ...execution, progress: 0.25, status: 'running', phase: 'working' };
  expect(shown(EXECUTIONS, twap)).toEqual({
    symbol: 'BTC',
    wallet: 'side',
    execution: 'buy twap',
    progress: '25 %',
    filled: '1 / 4',
    status: 'running, working',
    age: '2 min',
    owner: 'ema',
    id: 'exe_1',
  });
  const reducing = { ...twap, phase: 'running', reduce_only: true };
  expect(shown(EXECUTIONS, reducing)).toMatchObject({
    execution: 'buy twap, reduce only',
    status: 'running',
  });
  for (const [columns, row] of [
    [ORDERS, order],
    [EXECUTIONS, twap],
  ] as const) {
    expect(marked(columns, row)).toEqual({});
    expect(shown(columns, { ...row, owner: null })['owner']).toBe('none');
    expect(marked(columns, { ...row, owner: null })).toEqual({ owner: 'warn' });
  }
});

test('a feed has the age of its market, and is marked once a bar is missing', () => {
  const feed = { symbol: 'BTC', price: 9, interval_ms: 60_000, close_time: AT.market - 65_000 };
  expect(shown(FEEDS, feed)).toEqual({
    symbol: 'BTC',
    price: '9',
    bars: '1 min',
    'closed (UTC)': '1970-01-01 02:45:35',
    age: '1 min',
  });
  expect(marked(FEEDS, feed)).toEqual({});
  expect(marked(FEEDS, { ...feed, close_time: AT.market - 125_001 })).toEqual({
    age: 'loss strong',
  });
  const none = { symbol: 'BTC', price: null, interval_ms: null, close_time: null };
  expect(Object.values(shown(FEEDS, none))).toEqual(['BTC', '–', '–', '–', '–']);
});
