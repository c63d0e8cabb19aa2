/**
 * A plugin that joins two symbols sees their history as it would have seen the bars live, through every link and in a
 * thread of its own.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generateFeed } from '../../src/paper/index.ts';
import pairTrader from '../../strategies/pairTrader.ts';
import joinsBars from './plants/joinsBars.ts';
import { runDirect, runDriven, runSockets, type Member, type ParityTape } from './runParity.ts';

const START = Date.UTC(2026, 0, 5);
const MINUTE = 60_000;

function tapeOf(member: Omit<Member, 'wallet'>): ParityTape {
  const made = (symbol: string, startPrice: number, seed: number) =>
    generateFeed({ symbol, interval: '1m', bars: 900, seed, startTime: START, startPrice });
  const feeds = [made('BTC', 61_000, 5), made('ETH', 3_300, 6)];
  const generate = { seed: 1, bars: 2 };
  return {
    data: { feeds, funding: {} },
    settings: { feeds: [{ symbol: 'BTC', interval: '1m', generate }], warmup: 600 },
    members: [{ wallet: 'main', ...member }],
    isDescribed: true,
  };
}

const notesOf = ({ intents }: Awaited<ReturnType<typeof runDirect>>): string[] =>
  intents.map(({ intent }) => JSON.parse(intent).intent.note as string);

/** The notes of live bars at the first full hours after the start, at minute 600 of the tape. */
function expectedNotes(minutes: number): string[] {
  return [0, 1, 2, 3, 4].map((hour) => {
    // Bars of both symbols from the history on; those of 15 minutes are of one.
    const live = Math.floor((hour * 60) / minutes) + 1;
    const pairs = 30 + live;
    const longer = 30 + Math.floor((hour * 60 + minutes) / 15);
    const close = START / MINUTE + 600 + hour * 60 + minutes;
    const last = `${String(close).padStart(12, '0')} ${String(minutes).padStart(2, '0')} 1`;
    return `${pairs} pairs, ${2 * pairs + longer} bars, 90 past, 0 in disorder ${last}`;
  });
}

// Bars of a minute are known when the strategy starts, since its symbols are valued by them; others are not.
describe.each([
  ['1m', 1],
  ['5m', 5],
] as const)('two symbols at %s and a longer interval', (interval, minutes) => {
  const member = { strategy: joinsBars, symbols: ['BTC', 'ETH'], params: { interval } };

  test('have one order in history and live, by every link and in a thread', async () => {
    const tape = tapeOf(member);
    const direct = await runDirect(tape);
    expect(notesOf(direct)).toEqual(expectedNotes(minutes));
    const file = join(import.meta.dirname, 'plants/joinsBars.ts');
    const others = [
      await runDriven(tape),
      await runSockets(tape),
      await runDirect(tapeOf({ ...member, file })),
    ];
    for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(direct));
  });

  test('have it again after a restart', async () => {
    const tape = tapeOf({
      ...member,
      params: { interval, throws_at: 200 },
      restart: { max: 1, backoffMs: 1_000, withinMs: 1e9 },
    });
    const run = await runDirect(tape);
    expect(run.lives.map(({ state }) => state)).toContain('restarted');
    const notes = notesOf(run).map((note) => note.replace(/ \d{12}.*/, ''));
    const [early, late] = [notes[0], notes.at(-1)!];
    expect(early).toMatch(/ 90 past, 0 in disorder$/);
    expect(late).toMatch(/ 90 past, 0 in disorder$/);
  });
});

test('the pair trader decides by the first bars after a start with enough history', async () => {
  const params = { interval: '1m', period: 120, enter: 0.5, max_naked: 5_000 };
  const tape = tapeOf({ strategy: pairTrader, symbols: ['ETH', 'BTC'], params });
  const [direct, sockets] = [await runDirect(tape), await runSockets(tape)];
  const [first] = direct.intents;
  const [, time] = /^emitted (\d+)$/.exec(first!.states[0]!)!;
  expect(Number(time)).toBeLessThan(START + (600 + 10) * MINUTE);
  expect(JSON.stringify(sockets)).toBe(JSON.stringify(direct));
});
