import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import ticks from '../latePlugins/ticks.ts';
import { MINUTE, openOutageBot, type OutageBot, type Sent } from '../openOutageBot.ts';

const file = join(import.meta.dirname, '../latePlugins/ticks.ts');
const isolation = {
  use: file,
  directory: join(import.meta.dirname, '../../..'),
  params: {},
  turnDeadlineMs: 20_000,
  memoryMb: 256,
};

/** Market time of the tick that a request was decided upon. */
const tickOf = ({ decisionKey }: Pick<Sent, 'decisionKey'>): number =>
  Number(/timer:(\d+)/.exec(decisionKey)![1]);
const isClose = ({ endpoint }: Sent): boolean => endpoint === 'positions.close';

/** The end of each intent of a kind, by the tick of its decision. */
function endsOf({ events }: OutageBot, kind: string): Map<number, string> {
  const ends = new Map<number, string>();
  for (const event of events) {
    if (event.kind !== 'intent' || event.event.emission.intent.kind !== kind) continue;
    const { emission, state, guard } = event.event;
    if (state === 'guarded' || state === 'sending') continue;
    ends.set(tickOf(emission), guard ?? state);
  }
  return ends;
}

async function open(options: Partial<Parameters<typeof openOutageBot>[0]> = {}) {
  const outage = await openOutageBot({ strategy: ticks, byFrames: true, ...options });
  onTestFinished(() => outage.close());
  return outage;
}

describe.each([
  ['in the bot’s thread', {}],
  ['in a thread of its own', { isolation }],
])('timers whose instant passed while nothing was heard, %s', (_where, how) => {
  test.each(['lost', 'stalled'] as const)(
    'are decided in the catch-up when the line was %s: no entry, and the newest exit once',
    async (line) => {
      const outage = await open(how);
      await outage.run(5);
      const from = outage.now();
      if (line === 'lost') outage.lose();
      else outage.stall();
      await outage.run(12);
      const until = outage.now();
      const first = outage.sent.length;
      if (line === 'lost') await outage.reopen();
      else await outage.resume();
      await outage.run(1);
      const entries = endsOf(outage, 'place_order');
      const exits = endsOf(outage, 'close_position');
      const late = Array.from({ length: 11 }, (_, at) => from + (at + 1) * MINUTE);
      expect(late.map((time) => entries.get(time))).toEqual(late.map(() => 'catch_up'));
      // Where nothing was missed, the last one is in time as before.
      expect(entries.get(until)).toBe(line === 'lost' ? 'entry_gate' : 'accepted');
      const older = late.slice(0, -1);
      expect(older.map((time) => exits.get(time))).toEqual(older.map(() => 'catch_up'));
      const closes = outage.sent.slice(first).filter(isClose).map(tickOf);
      expect(closes).toEqual([late.at(-1), until, until + MINUTE]);
    },
  );
});

test('a timer that is due between two frames of a line that was never lost is in time', async () => {
  const outage = await open();
  await outage.run(10);
  const all = [...endsOf(outage, 'place_order').values()];
  expect(all).toHaveLength(10);
  expect(new Set(all)).toEqual(new Set(['accepted']));
});

test('where the clock goes on in an outage, timers are in time', async () => {
  const outage = await open({ byFrames: false });
  await outage.run(5);
  outage.lose();
  const first = outage.sent.length;
  await outage.run(3);
  expect(outage.sent.slice(first).filter(isClose)).toHaveLength(3);
});
