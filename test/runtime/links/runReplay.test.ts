/** How a replay at maximum speed goes on: what it steps to, how often in place, and what it waits for. */
import { describe, expect, test } from 'vitest';
import type { BarrierLink } from '../../../src/runtime/links/createBarrierLink.ts';
import { runReplay, type ReplayOptions } from '../../../src/runtime/links/runReplay.ts';

const BAR = 60;
const PASSIVE = [{ channel: 'candles', params: { symbol: 'BTC' } }];

/** A service and a bot of which a test says at each step what they do. */
function open(
  options: Partial<Pick<ReplayOptions, 'passive' | 'onStep' | 'isStopped'>> & {
    endTime?: number;
    /** When the bot has timers. */
    timers?: readonly number[];
    onAdvance?(time: number, step: number): void;
    arrive?: BarrierLink['arrive'];
  } = {},
) {
  const { endTime: end_time = 3 * BAR, timers = [], onAdvance, arrive, ...others } = options;
  const asked: string[] = [];
  let time = 0;
  const bot = {
    sends: 0,
    isConfirming: false,
    settled: async () => void asked.push('settled'),
  };
  const replay = {
    bot,
    asked,
    /** The steps alone: `time`, or `time in many` for one that passes over frames. */
    steps: () => asked.filter((one) => one.startsWith('to ')).map((one) => one.slice(3)),
    run: () =>
      runReplay({
        controls: {
          position: async () => ({ time, start_time: 0, end_time }),
          async advanceTo(toTime, apartFrom = []) {
            time = toTime;
            asked.push(`to ${toTime}${apartFrom.length > 0 ? ' in many' : ''}`);
            onAdvance?.(time, replay.steps().length);
            return { time, start_time: 0, end_time };
          },
        },
        link: {
          subscribed: async () => void asked.push('subscribed'),
          nextBarrier: async (ofMany: boolean) => void asked.push(`barrier ${ofMany}`),
          nextTaskTime: () => timers.find((at) => at > time) ?? Infinity,
          ...(arrive === undefined ? {} : { arrive }),
        } as unknown as BarrierLink,
        stepMs: BAR,
        bot,
        ...others,
      }),
  };
  return replay;
}

describe('a replay', () => {
  test('begins in place, goes from bar to bar and ends with the tape', async () => {
    const replay = open({ endTime: 2.5 * BAR });
    expect(await replay.run()).toEqual({ time: 150, start_time: 0, end_time: 150 });
    expect(replay.steps()).toEqual(['0', '60', '120', '150']);
    // What was subscribed is answered first, and what follows from a step has ended before the next.
    expect(replay.asked.slice(0, 4)).toEqual(['subscribed', 'barrier false', 'to 0', 'settled']);
  });

  test('stops where the bot has a timer, at the first whole millisecond', async () => {
    const replay = open({ timers: [30, 59.2, 90.5, 91.5, 200] });
    await replay.run();
    expect(replay.steps()).toEqual(['0', '30', '60', '91', '92', '120', '180']);
  });

  test('steps in place for what each send of the bot leads to, and no further meanwhile', async () => {
    const replay = open({
      endTime: 2 * BAR,
      onAdvance(_time, step) {
        // Two orders one after the other within the first bar, and one at its end.
        if ([1, 2, 4].includes(step)) replay.bot.sends++;
      },
    });
    await replay.run();
    expect(replay.steps()).toEqual(['0', '0', '0', '60', '60', '120']);
  });

  test('steps in place for what has arrived late, though the bot sends nothing', async () => {
    const arrivals = new Map([
      [BAR, [2, 1]],
      [2 * BAR, [1]],
    ]);
    const replay = open({
      endTime: 2 * BAR,
      arrive: async (time, settled) => {
        await settled();
        return arrivals.get(time)?.shift() ?? 0;
      },
    });
    await replay.run();
    expect(replay.steps()).toEqual(['0', '60', '60', '60', '120', '120']);
  });

  test('waits for its observer, if that wants it, before it goes on', async () => {
    const order: string[] = [];
    const replay = open({
      onAdvance: (time) => void order.push(`step ${time}`),
      async onStep({ time }) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        order.push(`seen ${time}`);
      },
    });
    await replay.run();
    const all = [60, 120, 180].flatMap((time) => [`step ${time}`, `seen ${time}`]);
    expect(order).toEqual(['step 0', ...all]);
  });

  test('is over once it is stopped', async () => {
    const replay = open({ isStopped: () => replay.steps().length >= 2 });
    expect(await replay.run()).toMatchObject({ time: BAR });
  });

  test('goes over many bars at once where nothing is decided by their frames', async () => {
    let isPassive = true;
    const replay = open({
      endTime: 503 * BAR,
      passive: () => (isPassive ? PASSIVE : []),
      onAdvance(time) {
        isPassive = time < 500 * BAR;
      },
    });
    await replay.run();
    expect(replay.steps()).toEqual(['0', '30000 in many', '30060', '30120', '30180']);
    expect(replay.asked.filter((one) => one === 'barrier true')).toHaveLength(1);
  });
});

describe('a start', () => {
  test('is confirmed in place', async () => {
    const replay = open({
      endTime: BAR,
      onAdvance: (_time, step) => (replay.bot.isConfirming = step < 3),
    });
    await replay.run();
    expect(replay.steps()).toEqual(['0', '0', '0', '60']);
  });

  test('that is never confirmed is tried ten times', async () => {
    const replay = open({
      endTime: BAR,
      onAdvance(_time, step) {
        if (step > 50) throw new Error('it has no end');
      },
    });
    replay.bot.isConfirming = true;
    await replay.run();
    expect(replay.steps()).toEqual([...Array.from({ length: 11 }, () => '0'), '60']);
  });
});
