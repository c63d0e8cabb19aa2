import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, type LogFields } from '../../src/env/index.ts';
import { createPrometheusMetrics } from '../../src/operate/metrics/createPrometheusMetrics.ts';
import { countEvents } from '../../src/operate/metrics/countEvents.ts';
import { readSamples } from '../../src/operate/metrics/readSamples.ts';
import { conditionsOf } from '../../src/operate/notify/conditionsOf.ts';
import { createAlerts } from '../../src/operate/notify/createAlerts.ts';
import { formatMessage, titleOf, todoOf } from '../../src/operate/notify/formatNotices.ts';
import { followBot } from '../../src/operate/run/followBot.ts';
import { createBotState, type BotView } from '../../src/operate/state/index.ts';
import type { Bot, KillLevel } from '../../src/runtime/index.ts';
import { drawRun } from '../backtest/walks/drawRun.ts';
import { runDriven, type WatchedBot } from '../backtest/runParity.ts';
import { anyView } from '../operate/drawView.ts';
import { sampleSources } from '../operate/metrics/sampleSources.ts';
import { configOf } from '../operate/watchedBot.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const MINUTE = 60_000;
const CASES = 10;

interface LiveColumn {
  label: string;
  text(row: unknown, at: object): string;
  tone?(row: unknown, at: object): string;
  press?(row: unknown): (() => void) | null;
  pressLabel?(row: unknown): string;
}
/** The module itself runs in a browser. */
const COLUMNS = '../../src/operate/serve/page/tableColumns.ts';
const tables = (await import(COLUMNS)) as Record<string, readonly LiveColumn[]> &
  Record<
    'strategyColumns' | 'unansweredColumns',
    (asks: object, takes: () => boolean) => LiveColumn[]
  >;

/** Each table of the operator's page, as its cells are shown. */
function pageOf({ blocks, time, wall_time: wall }: BotView): string[] {
  const asked: string[] = [];
  const asks = new Proxy(
    {},
    {
      get: (_none, name) => (given: unknown) =>
        asked.push(`${String(name)} ${JSON.stringify(given)}`),
    },
  );
  const at = { market: time, wall };
  const rowsOf = (
    name: string,
    columns: readonly LiveColumn[],
    rows: readonly unknown[],
  ): string[] =>
    rows.map((row) => {
      const cells = columns.map(({ label, text, tone, press, pressLabel }) => {
        const pressed = press?.(row) ?? null;
        pressed?.();
        const about = pressed === null ? '' : (pressLabel?.(row) ?? '');
        return [label, text(row, at), tone?.(row, at), about].join('|');
      });
      return `${name} ${cells.join(' ')}`;
    });
  const shown = [true, false].flatMap((takes) => [
    ...rowsOf(
      'strategies',
      tables.strategyColumns(asks, () => takes),
      blocks.strategies,
    ),
    ...rowsOf(
      'unanswered',
      tables.unansweredColumns(asks, () => takes),
      blocks.unanswered,
    ),
  ]);
  return [
    ...shown,
    ...rowsOf('wallets', tables['WALLETS']!, blocks.wallets),
    ...rowsOf('positions', tables['POSITIONS']!, blocks.positions),
    ...rowsOf('orders', tables['ORDERS']!, blocks.orders),
    ...rowsOf('executions', tables['EXECUTIONS']!, blocks.executions),
    ...rowsOf('feeds', tables['FEEDS']!, blocks.feeds),
    ...asked,
  ];
}

/** What an operator does to a bot, some minutes after its start. */
const ACTS: ReadonlyArray<
  (bot: Bot, names: readonly string[], random: () => number) => Promise<unknown>
> = [
  (bot, [name = '']) => bot.pauseStrategy(name, 'a look at it'),
  (bot, [name = '']) => bot.resumeStrategy(name, 'looked at'),
  (bot, _names, random) => bot.kill(`L${1 + Math.floor(random() * 4)}` as KillLevel, 'a drill'),
  (bot) => bot.rearm('the drill is over'),
  (bot, [name = '']) => bot.pauseStrategy(name, 'again'),
  (bot) => bot.kill('L2', 'a real one'),
  (bot) => bot.killed(),
  (bot) => bot.rearm('over'),
  (bot) => bot.kill('L3', 'flat'),
  (bot) => bot.audit('a look', 'curious'),
];

/** A release changes nothing else. */
const withoutVersion = (shown: object): string =>
  JSON.stringify(shown).replace(/"version":"[^"]*"/, '"version":""');

interface Sections {
  views: string[];
  page: string[];
  alerts: string[];
  metrics: string[];
  log: string[];
}

/** Attaches everything by which a person follows a bot. */
function follow({ bot, plan, env, link }: WatchedBot, random: () => number, found: Sections) {
  const config = configOf(plan, { operate: { uncoveredSeconds: 120 } } as never);
  const now = (): number => link.market.now();
  const state = createBotState({ bot, config, plan, env, now, service: null });
  const write =
    (level: string) =>
    (text: string, fields: LogFields = {}): void =>
      void found.log.push(`${level} ${text} ${JSON.stringify(fields)}`);
  const log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  followBot(bot, log as never, { config, address: 'service.example' });
  const metrics = createPrometheusMetrics(plan.strategies[0]!.name);
  const counted = countEvents(bot, plan, metrics.port, now);
  const alerts = createAlerts({
    bot,
    state,
    env,
    config,
    uncoveredSeconds: 120,
    offer(change) {
      const notice = {
        ...change,
        kind: change.kind === 'replaced' ? 'over' : change.kind,
      } as const;
      const message = { bot: 'watched', notices: [notice], dropped: found.alerts.length % 3 };
      found.alerts.push(
        JSON.stringify(change),
        formatMessage(message, (text) => text),
        titleOf(notice),
        todoOf(notice),
      );
    },
    remind: (active) =>
      void (
        found.alerts.at(-1) !== `${active.size} hold` && found.alerts.push(`${active.size} hold`)
      ),
  });
  let shown = 0;
  state.listen((change) => {
    if (change === null) return;
    found.views.push(withoutVersion(change));
    if (shown++ % 20 === 0) found.page.push(...pageOf(state.view()));
  });
  const names = plan.strategies.map(({ name }) => name);
  for (const [at, act] of ACTS.entries()) {
    if (random() < 0.5) continue;
    const run = (): void =>
      void act(bot, names, random).then(
        (outcome) => found.log.push(`act ${at} ${now()} ${JSON.stringify(outcome)}`),
        (error: unknown) => found.log.push(`act ${at} failed ${String(error)}`),
      );
    env.timers.after((10 + at * 8) * MINUTE, run);
  }
  return async () => {
    const view = state.view();
    found.views.push(withoutVersion(view), ...state.events(200).map((row) => JSON.stringify(row)));
    for (const { symbol } of view.blocks.feeds)
      found.views.push(JSON.stringify(state.candles(symbol)));
    found.views.push(JSON.stringify(state.since(1)?.length), JSON.stringify(state.candles('NONE')));
    found.page.push(...pageOf(view));
    const sources = { state, bot, plan, config };
    const { type, text } = await metrics.render(readSamples(sources));
    found.metrics.push(type, ...text.split('\n').filter((line) => !line.includes('build_info')));
    alerts.look();
    alerts.report({
      key: 'own',
      severity: 'ticket',
      title: 'own',
      text: 'a\nb'.repeat(900),
      todo: 'x',
    });
    alerts.close();
    counted.unsubscribe();
    state.close();
  };
}

test('a followed bot shows, counts, logs and reports what it did before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    const { tape } = drawRun(`followed ${seed}`);
    const random = createRandom(`acts ${seed}`);
    const found: Sections = { views: [], page: [], alerts: [], metrics: [], log: [] };
    let end = async (): Promise<void> => {};
    await runDriven({
      ...tape,
      onBot: (watched) => void (end = follow(watched, () => random.next(), found)),
      onEnd: () => end(),
    });
    outcomes.set(`bot ${seed}`, new Map(Object.entries(found)));
  }
  await expectRecorded('bots', outcomes);
}, 300_000);

test('a drawn view has the conditions and the samples that it had before', async () => {
  const drawn = fc.tuple(
    anyView,
    fc.constantFrom(null, 5, 60),
    fc.subarray(['main/BTC', 'side/BTC']),
    fc.subarray(['main/BTC', 'side/']),
    fc.constantFrom(null, 'it has no wallet main'),
    fc.record({
      count: fc.constantFrom(0, 2, 3, 7),
      downMs: fc.constantFrom(0, 179_999, 180_000, 600_000),
    }),
    fc.constantFrom({ file: 'bot.yaml' }, { file: '/a b/bot.yaml', journal: 'x' }),
  );
  const views = fc.sample(drawn, { seed: 1, numRuns: 120 });
  expect(views.length).toBe(120);
  const sections = { conditions: [] as string[], samples: [] as string[] };
  for (const [view, uncoveredSeconds, doubted, unsent, unrotated, losses, config] of views) {
    const rules = {
      config: config as { file: string },
      uncoveredSeconds,
      doubted: new Map(doubted.map((place) => [place, `about ${place}`])),
      unsent: unsent.map((place) => {
        const [wallet = '', symbol = ''] = place.split('/');
        return { key: place, kind: 'close_position', wallet, symbol, reason: 'not_connected' };
      }),
      unrotated,
      losses,
    };
    sections.conditions.push(
      'view',
      ...conditionsOf(view, rules).map((one) => JSON.stringify(one)),
    );
    sections.samples.push(
      'view',
      ...readSamples(sampleSources(view, uncoveredSeconds) as never).map((one) =>
        JSON.stringify(one),
      ),
    );
  }
  await expectRecorded('views', new Map([['views', new Map(Object.entries(sections))]]));
});
