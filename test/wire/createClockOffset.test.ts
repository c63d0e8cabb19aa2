import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClockOffset } from '../../src/wire/createClockOffset.ts';

const second = 1000;

test('no offset is assumed while the responses allow zero', () => {
  const offset = createClockOffset();
  offset.learn({ serverTime: 50_000, resolutionMs: second, sentAt: 50_400, receivedAt: 50_500 });
  expect(offset.offsetMs()).toBe(0);
});

test('the true offset is found within half a second from coarse headers, and closer from many', () => {
  const delays = fc.record({ there: fc.nat(200), back: fc.nat(200), pauseMs: fc.nat(5_000) });
  const runs = fc.array(delays, { minLength: 1, maxLength: 40 });
  const offsets = fc.integer({ min: -900_000, max: 900_000 });
  fc.assert(
    fc.property(offsets, runs, (trueOffset, exchanges) => {
      const offset = createClockOffset();
      let now = 1_700_000_000_000;
      for (const { there, back, pauseMs } of exchanges) {
        now += pauseMs;
        const served = now + there + trueOffset;
        offset.learn({
          serverTime: Math.floor(served / second) * second,
          resolutionMs: second,
          sentAt: now,
          receivedAt: now + there + back,
        });
        now += there + back;
      }
      expect(Math.abs(offset.offsetMs() - trueOffset)).toBeLessThanOrEqual(1_000 + 400);
    }),
  );
});

test('after a clock step only later samples count', () => {
  const offset = createClockOffset();
  offset.learn({
    serverTime: 1_000_000,
    resolutionMs: 1,
    sentAt: 1_000_000,
    receivedAt: 1_000_010,
  });
  expect(offset.offsetMs()).toBe(0);
  offset.learn({
    serverTime: 1_060_000,
    resolutionMs: 1,
    sentAt: 1_660_000,
    receivedAt: 1_660_010,
  });
  expect(Math.abs(offset.offsetMs() + 600_000)).toBeLessThanOrEqual(10);
});

test('an invalid sample changes nothing', () => {
  const offset = createClockOffset();
  offset.learn({ serverTime: Number.NaN, resolutionMs: second, sentAt: 0, receivedAt: 1 });
  offset.learn({ serverTime: 99_999_999, resolutionMs: 1, sentAt: 10, receivedAt: 5 });
  expect(offset.offsetMs()).toBe(0);
});

test('the newest sixteen samples count, and none before them', () => {
  const exact = { resolutionMs: 0, sentAt: 0, receivedAt: 0 };
  const wide = { resolutionMs: 1_000, sentAt: 0, receivedAt: 1_000 };
  const offset = createClockOffset();
  offset.learn({ ...exact, serverTime: 700 });
  expect(offset.offsetMs()).toBe(700);
  for (let later = 1; later <= 15; later++) {
    offset.learn({ ...wide, serverTime: 1_200 });
    expect(offset.offsetMs()).toBe(700);
  }
  // From 200 to 2,200 by all that is left.
  offset.learn({ ...wide, serverTime: 1_200 });
  expect(offset.offsetMs()).toBe(1_200);
});
