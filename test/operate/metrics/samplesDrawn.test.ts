/** The metrics of any view, by what the catalogue says of each. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSamples } from '../../../src/operate/metrics/readSamples.ts';
import { holdLaw } from '../../holdLaw.ts';
import { anyView } from '../drawView.ts';
import { sampleSources, STRATEGIES } from './sampleSources.ts';

test('each metric is what the view has', async () => {
  const limits = fc.constantFrom(null, undefined, 60, 300);
  await holdLaw(200, fc.tuple(anyView, limits), ([view, limit]) => {
    const { blocks, time } = view;
    const { bot, connection, positions, budget } = blocks;
    const sources = sampleSources(view, limit);
    const samples = readSamples(sources as never);
    const keyOf = (name: string, labels: object = {}): string =>
      [
        name,
        ...Object.entries(labels)
          .map(([key, value]) => `${key}=${String(value)}`)
          .toSorted(),
      ].join(' ');
    const shown = new Map(samples.map(({ name, labels, value }) => [keyOf(name, labels), value]));
    expect(shown.size).toBe(samples.length);
    const is = (name: string, value: unknown, labels = {}): void =>
      expect([keyOf(name, labels), shown.get(keyOf(name, labels))]).toEqual([
        keyOf(name, labels),
        value,
      ]);
    const isOpen = connection.state === 'open';
    is('up', isOpen && bot.key_refused === null ? 1 : 0);
    is('kill_level', Number(bot.kill_level.slice(1)));
    const isFree =
      bot.gate.length === 0 && bot.kill_level === 'L0' && bot.closed_wallets.length === 0;
    is('entries_open', isFree ? 1 : 0);
    is('key_refused', bot.key_refused === null ? 0 : 1);
    is('stream_connected', isOpen ? 1 : 0);
    is('stream_reconnects_total', connection.reconnects);
    for (const { wallet, equity, day_pnl, day_loss_limit } of blocks.wallets) {
      is('equity', equity, { wallet });
      const closed = bot.closed_wallets.filter((row) => row.wallet === wallet).length;
      is('wallet_entries_open', 1 - closed, { wallet });
      is('closed_symbols', closed, { wallet });
      is('day_pnl', day_pnl ?? undefined, { wallet });
      is('day_loss_limit', day_loss_limit ?? undefined, { wallet });
      for (const ownership of ['orphan', 'ignored'] as const) {
        const own = positions.filter((row) => row.wallet === wallet && row.ownership === ownership);
        is(`${ownership}_positions`, own.length, { wallet });
      }
    }
    for (const { name: strategy, wallet, symbols } of STRATEGIES)
      for (const symbol of symbols) {
        const row = positions.find((one) => one.wallet === wallet && one.symbol === symbol);
        const notional = row?.notional ?? 0;
        const signed = row?.side === 'short' ? -notional : notional;
        const owner = row === undefined ? strategy : (row.owner ?? '');
        // A flat position may be −0.
        expect(
          (shown.get(keyOf('position_notional', { wallet, strategy: owner, symbol })) ?? NaN) + 0,
        ).toBe(signed + 0);
        const since = (row?.ownership === 'ignored' ? null : row?.uncovered_since) ?? time;
        is('uncovered_seconds', (time - since) / 1_000, { wallet, symbol });
      }
    for (const { name: strategy, life, paused, throttled, stage } of blocks.strategies) {
      is('strategy_paused', paused === null ? 0 : 1, { strategy });
      is('strategy_throttled', throttled === null ? 0 : 1, { strategy });
      is('strategy_quarantined', life === 'quarantined' ? 1 : 0, { strategy });
      is('strategy_stage', ['shadow', 'canary', 'live'].indexOf(stage ?? 'shadow'), { strategy });
    }
    is('uncovered_limit_seconds', limit ?? undefined);
    is('intents_total', 3, { kind: 'launch', state: 'sending' });
    is('denied_total', 2, { guard: 'dailyLoss' });
    is('denied_total', 1, { guard: 'other' });
    // From the start, so that the first one is an increase.
    is('denied_total', 0, { guard: 'malformed' });
    is('denied_total', 0, { guard: 'malformed_exit' });
    for (const state of ['unknown', 'unresolved'] as const)
      is(`${state}_intents`, blocks.unanswered.filter((one) => one.state === state).length);
    const given = budget.deferred as Readonly<Record<string, number>>;
    is('deferred', given['entry'] ?? 0, { lane: 'entry' });
    if ('a b' in given) is('deferred', 5, { lane: 'other' });
    is('budget_used_ratio', budget.used / 1_000, { lane: 'exit' });
    // A lane whose reserve takes everything waits.
    const tiny = { ...view, blocks: { ...blocks, budget: { ...budget, allowance: 0 } } };
    const full = readSamples({
      ...sources,
      state: { ...sources.state, view: () => tiny },
    } as never);
    for (const { name, value } of full) if (name === 'budget_used_ratio') expect(value).toBe(1);
    // What exits reserve, 300 of 1,000, and the share of lookups beside it.
    expect(shown.get(keyOf('budget_used_ratio', { lane: 'lookup' }))).toBeCloseTo(
      budget.used / 700,
      9,
    );
    for (const { symbol, close_time: closed } of blocks.feeds)
      is('market_data_age_seconds', (closed === null ? view.wall_time : time - closed) / 1_000, {
        symbol,
      });
  });
});
