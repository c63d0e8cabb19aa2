import { expect, test } from 'vitest';
import { createMoments } from '../../../src/runtime/record/createMoments.ts';

function setUp() {
  const moments = createMoments();
  const over: number[] = [];
  moments.listen((time) => over.push(time));
  return { moments, over };
}

test('a moment is over when a bar of a later one comes, once for all that closed together', () => {
  const { moments, over } = setUp();
  for (const time of [60, 60, 60]) moments.bar(time);
  expect(over).toEqual([]);
  moments.bar(120);
  moments.bar(120);
  moments.bar(180);
  expect(over).toEqual([60, 120]);
  expect(moments.newest()).toBe(180);
});

test('what happens later ends it too, what happens in it or before does not', () => {
  const { moments, over } = setUp();
  moments.reach(30);
  moments.bar(60);
  for (const time of [59, 60]) moments.reach(time);
  expect(over).toEqual([]);
  for (const time of [61, 62]) moments.reach(time);
  expect(over).toEqual([60]);
});

test('a bar that comes after its moment opens none, so that time never goes back', () => {
  const { moments, over } = setUp();
  for (const time of [60, 120, 60, 120, 180]) moments.bar(time);
  expect(over).toEqual([60, 120]);
  moments.reach(200);
  moments.bar(180);
  moments.reach(220);
  expect(over).toEqual([60, 120, 180]);
});
