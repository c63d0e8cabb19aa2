import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClockOffset, type ClockSample } from '../../src/wire/createClockOffset.ts';

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

describe('a reading that contradicts all others', () => {
  const sampleAt = (sentAt: number, offsetMs: number): ClockSample => ({
    serverTime: sentAt + offsetMs,
    resolutionMs: 1,
    sentAt,
    receivedAt: sentAt + 10,
  });
  function learnedInStep() {
    const offset = createClockOffset();
    offset.learn(sampleAt(1_000_000, 0));
    expect(offset.offsetMs()).toBe(0);
    return offset;
  }

  test('counts once the next one agrees with it: a clock was stepped', () => {
    const offset = learnedInStep();
    offset.learn(sampleAt(1_660_000, -600_000));
    expect(offset.offsetMs()).toBe(0);
    offset.learn(sampleAt(1_661_000, -600_000));
    expect(Math.abs(offset.offsetMs() + 600_000)).toBeLessThanOrEqual(10);
    offset.learn(sampleAt(1_662_000, -600_000));
    expect(Math.abs(offset.offsetMs() + 600_000)).toBeLessThanOrEqual(10);
  });

  test('counts at once where the service refused the time of the request', () => {
    const offset = learnedInStep();
    offset.learn({ ...sampleAt(1_660_000, -600_000), isTimeRefused: true });
    expect(Math.abs(offset.offsetMs() + 600_000)).toBeLessThanOrEqual(10);
  });

  test('never counts if others come between: one machine of many is wrong', () => {
    const offset = learnedInStep();
    const half = 43_200_000;
    for (let at = 2_000_000; at < 2_020_000; at += 1_000) {
      offset.learn(sampleAt(at, at % 2_000 === 0 ? half : 0));
      expect(offset.offsetMs()).toBe(0);
    }
    offset.learn(sampleAt(2_030_000, half));
    offset.learn(sampleAt(2_031_000, -half));
    expect(offset.offsetMs()).toBe(0);
  });
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
