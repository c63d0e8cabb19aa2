/** Market time by frames, beside a plain reading: what runs when, and what is late. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskQueue } from '../../../src/env/index.ts';
import { createFrameClock, withLateness } from '../../../src/runtime/links/createFrameClock.ts';
import { LATE_MS } from '../../../src/streams/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

/** Around the bound, and far from it. */
const delay = fc.constantFrom(0, 1, LATE_MS - 1, LATE_MS, LATE_MS + 1, 3 * LATE_MS);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('task' as const),
      in: fc.oneof(delay, fc.constant(-5_000)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('frame' as const), after: delay, waited: delay }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lost' as const) }) },
);

test('a task is late if the connection was lost or its frame had waited, and it is long past', async () => {
  const tried = new Tried();
  await holdLaw(400, fc.array(step, { minLength: 2, maxLength: 20 }), (steps) => {
    let present = 0;
    const clock = createFrameClock(() => present);
    const ran: Array<[number, boolean, number]> = [];
    const expected: Array<[number, boolean, number]> = [];
    let waiting: Array<{ id: number; due: number }> = [];
    let [time, isLost, count] = [1_000_000, false, 0];
    clock.advanceTo(time);
    for (const one of steps) {
      if (one.kind === 'task') {
        const id = count++;
        clock.at(time + one.in, (isLate) => ran.push([id, isLate === true, clock.now()]));
        // What lies in the past is due at once.
        waiting.push({ id, due: Math.max(time, time + one.in) });
      } else if (one.kind === 'lost') {
        clock.lost();
        isLost = true;
      } else {
        time += one.after;
        present = time + one.waited;
        const isBehind = isLost || one.waited > LATE_MS;
        const due = waiting.filter((task) => task.due <= time);
        for (const task of due.toSorted((a, b) => a.due - b.due || a.id - b.id)) {
          const isLate = isBehind && present - task.due > LATE_MS;
          expected.push([task.id, isLate, task.due]);
          tried.take(isLate ? (isLost ? 'late after a loss' : 'late frame') : 'in time');
        }
        waiting = waiting.filter((task) => task.due > time);
        isLost = false;
        clock.advanceTo(time);
        expect(clock.now()).toBe(time);
      }
      expect(ran).toEqual(expected);
    }
  });
  if (isFull) expect(tried.rare(['late after a loss', 'late frame', 'in time'], 20)).toEqual([]);
});

test('of a clock that goes on by itself a task is late by its own time, or by when it was asked for', () => {
  const late: Array<[string, boolean | undefined]> = [];
  let behind = 0;
  const queue = new TaskQueue(1_000_000);
  // The machine's clock goes on while the process stands still.
  const clock = withLateness({
    now: () => queue.now() + behind,
    at: (time, run) => queue.at(time, () => run()),
  });
  for (const [name, time, stood] of [
    ['in time', 1_000_500, 0],
    ['at the bound', 1_001_000, LATE_MS],
    ['beyond the bound', 1_002_000, LATE_MS + 1],
  ] as const) {
    behind = 0;
    clock.at(time, (isLate) => late.push([name, isLate]));
    behind = stood;
    queue.advanceTo(time);
  }
  behind = 0;
  // Asked for at a time long past it runs at once, and is in time.
  clock.at(0, (isLate) => late.push(['of the past', isLate]));
  queue.advanceTo(queue.now());
  expect(late).toEqual([
    ['in time', false],
    ['at the bound', false],
    ['beyond the bound', true],
    ['of the past', false],
  ]);
});
