import { expect, test } from 'vitest';
import { createInstants } from '../../../src/runtime/record/createInstants.ts';

function setUp() {
  const instants = createInstants();
  const over: number[] = [];
  instants.listen((time) => over.push(time));
  return { instants, over };
}

test('an instant is complete when a bar of a later one arrives, once for all that closed together', () => {
  const { instants, over } = setUp();
  for (const time of [60, 60, 60]) instants.bar(time);
  expect(over).toEqual([]);
  instants.bar(120);
  instants.bar(120);
  instants.bar(180);
  expect(over).toEqual([60, 120]);
  expect(instants.newest()).toBe(180);
});

test('later events end it too, events in it or before do not', () => {
  const { instants, over } = setUp();
  instants.reach(30);
  instants.bar(60);
  for (const time of [59, 60]) instants.reach(time);
  expect(over).toEqual([]);
  for (const time of [61, 62]) instants.reach(time);
  expect(over).toEqual([60]);
});

test('a late bar opens no instant, so that time never decreases', () => {
  const { instants, over } = setUp();
  for (const time of [60, 120, 60, 120, 180]) instants.bar(time);
  expect(over).toEqual([60, 120]);
  instants.reach(200);
  instants.bar(180);
  instants.reach(220);
  expect(over).toEqual([60, 120, 180]);
});
