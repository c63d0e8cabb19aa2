import { queryObjects } from 'node:v8';
import { Subject } from 'rxjs';
import * as library from 'technicalindicators';
import { describe, expect, test } from 'vitest';
import type { ClosedBar } from '../../src/technicalindicators.ts';
import { randomBars } from '../indicators/bars.ts';
import { isFull } from '../tiers.ts';
import { adapterOf, isPattern, libraryBatch, NAMES, toBars, toRow, type Row } from './catalogue.ts';

const bars = toBars(randomBars(2_000, 'memory'));
/** Each node that was lost would be one more. */
const BARS = isFull ? 200_000 : 20_000;

/** Whether a list of the library is in it cannot be seen from outside: its nodes are counted in the whole heap. */
function nodesAlive(): number {
  const list = new library.FixedSizeLinkedList(1, false, false, false) as unknown as {
    push(data: number): void;
    _head: object;
  };
  list.push(1);
  return queryObjects(list._head.constructor, { format: 'count' });
}

describe('a long stream through every indicator of the library', () => {
  test('holds the nodes of their windows and no more, and ends with what a fresh start gives', () => {
    const input = new Subject<ClosedBar>();
    const names = NAMES.filter((name) => !isPattern(name));
    const last = new Map<string, Row>();
    for (const name of names) {
      const operator = adapterOf(name);
      input.pipe(operator).subscribe((value) => last.set(name, toRow(value, operator.series)));
    }
    const before = nodesAlive();
    for (let at = 0; at < 1_000; at += 1) input.next(bars[at]!);
    const filled = nodesAlive();
    expect(filled).toBeGreaterThan(before + 300);
    for (let at = 1_000; at < BARS; at += 1) input.next(bars[at % bars.length]!);
    expect(nodesAlive()).toBeLessThanOrEqual(filled);
    // The subscriptions are in use until here.
    expect(input.observed).toBe(true);

    // Without drift: what depends on a window alone is as on that window alone.
    const end = Array.from({ length: 600 }, (_none, at) => bars[(BARS - 600 + at) % bars.length]!);
    for (const name of [
      'stochastic',
      'williamsr',
      'awesomeoscillator',
      'wma',
      'roc',
      'lowest',
    ] as const) {
      const fresh = libraryBatch(name, end).at(-1)!;
      for (const [line, value] of Object.entries(fresh))
        expect(last.get(name)![line], name).toBeCloseTo(value, 8);
    }
  });
});
