import { afterAll, test } from 'vitest';
import { createStory } from './createStory.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { only, planted, putBot, shipped, TREND } from './putBot.ts';

const story = createStory();
afterAll(() => story.end());

/** Strategies that do something wrong or odd, each with its parameters. */
const ODD: Readonly<Record<string, string[]>> = {
  ...Object.fromEntries(
    ['malformed', 'no_value', 'kernel', 'uncalled', 'uncalled_ema', 'piped', 'piped_ema'].map(
      (how) => [`faulty ${how}`, only(planted('cli/plants/faulty'), `{ how: ${how} }`)],
    ),
  ),
  ...Object.fromEntries(
    [
      'interval',
      'every',
      'instrument',
      'warmup',
      'task',
      'state',
      'extremes',
      'row',
      'resample',
    ].map((by) => [
      `calls ${by} wrongly`,
      only(planted('cli/plants/callsWrongly'), `{ by: ${by} }`),
    ]),
  ),
  ...Object.fromEntries(
    ['price', 'forming', 'again'].map((at) => [
      `looks at ${at}`,
      only(planted('cli/plants/looksAround'), `{ at: ${at} }`),
    ]),
  ),
  'never trades': only(planted('cli/plants/neverTrades')),
  'rests one': only(planted('cli/plants/restsOne')),
  'throws, and starts again': only(
    planted('backtest/plants/throws'),
    '{}',
    ', restart: { max: 2, backoff_seconds: 60 }',
  ),
  hedges: only(planted('backtest/plants/hedges')),
  grid: only(planted('backtest/plants/grid')),
  'goes all in': only(planted('backtest/plants/goesAllIn')),
  'unknown parameter': only(shipped('emaTrend'), '{ fsat: 3 }'),
  'wrong parameter': only(shipped('emaTrend'), '{ fast: many }'),
  'no file': only('./none.ts'),
  'no module': only('no-such-package'),
  'no plugin': only(planted('cli/runMain')),
  ...Object.fromEntries(
    [
      'accumulator',
      'bollingerReversion',
      'directionalTrend',
      'gridTrader',
      'hullTrend',
      'marketMaker',
    ].map((name) => [`shipped ${name}`, only(shipped(name))]),
  ),
  'a pair': [
    `name: pair, use: ${shipped('pairTrader')}, symbols: [BTC, ETH], params: { interval: 1m, lookback: 20 }`,
  ],
  'a pair, by default': [`name: pair, use: ${shipped('pairTrader')}, symbols: [BTC, ETH]`],
  'funding carry': only(shipped('fundingCarry')),
  ...Object.fromEntries(
    [
      'answersFills',
      'asksAround',
      'averagesAll',
      'awaits',
      'bidsBelow',
      'buysDaily',
      'buysSometimes',
      'countsRefs',
      'echoesMode',
      'forgetsWarmUp',
      'joinsBars',
      'notesAverage',
      'ordersParams',
      'readsMarket',
      'remembersRuns',
      'trades',
      'writesInWarmUp',
      'holds',
      'lacks',
    ].map((name) => [`planted ${name}`, only(planted(`backtest/plants/${name}`))]),
  ),
  'in a worker': only(
    shipped('gridTrader'),
    '{ step_bps: 5 }',
    ', isolation: { worker: { turn_deadline_seconds: 60 } }',
  ),
  'with a shadow': [
    `${TREND}, shadow: { use: ${shipped('emaTrend')}, params: { interval: 1m, fast: 5, slow: 12 } }`,
  ],
  'two of a name': [...only(shipped('gridTrader')), ...only(shipped('gridTrader'))],
  'none at all': [],
  'a wallet that is not there': only(shipped('gridTrader'), '{}', ', wallet: third'),
  'a symbol that is not there': [`name: mine, use: ${shipped('gridTrader')}, symbols: [SOL]`],
  'an own indicator': only(planted('cli/plants/ownIndicator'), '{ state: own }'),
};

test('commands that run a bot leave what they left before', async () => {
  const outcomes = new Map<string, Outcome>();
  const play = async (name: string, ...argv: readonly string[]): Promise<void> =>
    void outcomes.set(name, await story.run(...argv));
  putBot(story, 'small.yaml');
  const small = ['backtest', '@small.yaml', '--no-report'];
  const outputs = ['--report', '@small.html', '--json', '@small.json'];
  const failing = ['--fail-on', 'rejected', 'denied', 'uncovered'];
  await play('backtest', 'backtest', '@small.yaml', ...outputs, ...failing);
  await play('backtest, figures shown', ...small, '--json', '-', '--log-level', 'debug');
  const changed = [
    '--param',
    'trend.fast=5',
    '--set',
    'guards.daily_loss_limit=100',
    '--seed',
    '7',
  ];
  const range = ['--timerange', '20250101T0100-20250101T0215'];
  await play(
    'backtest, changed',
    ...small,
    ...range,
    ...changed,
    '--trades',
    'lots',
    '--json',
    '@changed.json',
  );
  await play('backtest, exact walk', ...small, '--exact-walk', '--log-level', 'silent');
  story.put(
    'closes.csv',
    'time,close\n2025-01-01T00:00:00Z,100\n2025-01-01T02:00:00Z,101\n2025-01-01T04:00:00Z,99\n',
  );
  await play(
    'backtest, benchmark',
    ...small,
    '--benchmark',
    '@closes.csv',
    '--fail-on',
    'uncovered',
  );
  putBot(story, 'tiny.yaml', { bars: 90, strategies: [TREND] });
  await play('backtest, checked', 'backtest', '@tiny.yaml', '--no-report', '--check');
  await play('check', 'check', '@tiny.yaml', '--points', '5', '--json', '@check.json');
  await play(
    'run',
    'run',
    '@small.yaml',
    '--report',
    '@run.html',
    '--journal',
    '@run.sqlite',
    '--log-level',
    'info',
    '--set',
    'record=@run.jsonl',
  );
  await play(
    'run again with its journal',
    'run',
    '@small.yaml',
    '--no-report',
    '--journal',
    '@run.sqlite',
    '--keep-journal',
    '--log',
    '@run.log',
  );
  for (const [name, strategies] of Object.entries(ODD)) {
    putBot(story, 'odd.yaml', { strategies, bars: 90 });
    await play(name, 'backtest', '@odd.yaml', '--no-report');
  }
  await expectRecorded('commandRuns', outcomes);
}, 300_000);
