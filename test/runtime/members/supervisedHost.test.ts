/** Lives of a strategy: faults, restarts by policy, replacements and stops in any order, against a plain account of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskQueue } from '../../../src/env/index.ts';
import { createSupervisedHost } from '../../../src/runtime/members/createSupervisedHost.ts';
import type { LifeEvent } from '../../../src/runtime/RestartPolicy.ts';
import type { HostStatus, StrategyFault, StrategyHost } from '../../../src/strategy/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const fault = { kind: 'threw', reason: 'a bug' } as unknown as StrategyFault;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fault' as const), ends: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 50, 100, 199, 200, 1_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
);
const drawn = fc.record({
  policy: fc.option(
    fc.record({
      max: fc.integer({ min: 1, max: 3 }),
      backoffMs: fc.constantFrom(50, 100),
      withinMs: fc.constantFrom(200, 1_000, 100_000),
    }),
    { nil: undefined, freq: 5 },
  ),
  isStarted: fc.boolean(),
  steps: fc.array(step, { minLength: 3, maxLength: 15 }),
});

test('a strategy restarts by its policy, is replaced at once, and once stopped it stays so', async () => {
  const tried = new Tried();
  await holdLaw(250, drawn, ({ policy, isStarted, steps }) => {
    const market = new TaskQueue(0);
    const lives: Array<{
      isRestart: boolean;
      starts: number;
      state: HostStatus['state'];
      emitted: number;
      fail(ends: boolean): void;
    }> = [];
    const events: LifeEvent[] = [];
    let faults = 0;
    const host = createSupervisedHost({
      instance: 'trend',
      market,
      restart: policy,
      createHost({ isRestart, onFault }) {
        const life = {
          isRestart,
          starts: 0,
          state: 'idle' as HostStatus['state'],
          emitted: 0,
          fail(ends: boolean) {
            if (ends) life.state = 'quarantined';
            onFault(fault);
          },
        };
        lives.push(life);
        return {
          instance: 'trend',
          get status() {
            return { state: life.state, fault } as HostStatus;
          },
          get emitted() {
            return life.emitted;
          },
          get suppressed() {
            return 2 * life.emitted;
          },
          start() {
            life.starts++;
            life.state = 'running';
          },
          fail: () => {},
          stop() {
            if (life.state !== 'quarantined') life.state = 'stopped';
          },
        } satisfies StrategyHost;
      },
      onFault: () => void faults++,
      onLife: (event) => void events.push(event),
    });
    if (isStarted) host.start();

    // The account: what its state is, when it restarts, and how often it has.
    let state = (isStarted ? 'running' : 'idle') as HostStatus['state'];
    let until: number | undefined;
    let restarts: number[] = [];
    let isOver = false;
    let count = 1;
    let emitted = 0;
    const wanted: unknown[] = [];
    const pass = (to: number): void => {
      if (until !== undefined && until <= to) {
        restarts.push(until);
        wanted.push({
          instance: 'trend',
          time: until,
          state: 'restarted',
          restart: restarts.length,
          max: policy!.max,
        });
        until = undefined;
        state = 'running';
        count++;
        tried.take('restarted');
      }
    };
    for (const one of steps) {
      lives.at(-1)!.emitted++;
      emitted++;
      const life = lives.at(-1)!;
      const time = market.now();
      if (one.do === 'wait') {
        pass(time + one.ms);
        market.advanceTo(time + one.ms);
      } else if (one.do === 'fault') {
        if (life.state !== 'running') continue;
        life.fail(one.ends);
        if (one.ends) {
          restarts = restarts.filter((at) => at > time - (policy?.withinMs ?? 0));
          const may = policy !== undefined && restarts.length < policy.max;
          until = may ? time + policy.backoffMs * 2 ** restarts.length : undefined;
          state = may ? 'waiting' : 'quarantined';
          isOver = !may;
          wanted.push({
            instance: 'trend',
            time,
            state: 'quarantined',
            fault,
            ...(may && { restartAt: until }),
          });
          tried.take(state);
        }
      } else if (one.do === 'replace') {
        host.replace();
        const isStopped = state === 'stopped';
        if (!isStopped) {
          count++;
          if (until !== undefined) tried.take('replaced while it waits');
          until = undefined;
          if (state !== 'idle') state = 'running';
          isOver = false;
        }
      } else {
        void host.stop();
        if (until !== undefined) tried.take('stopped while it waits');
        until = undefined;
        state = state === 'waiting' || state === 'quarantined' ? 'quarantined' : 'stopped';
      }
      expect([host.status.state, lives.length]).toEqual([state, count]);
      expect(host.isOver).toBe(isOver);
      if (host.status.state === 'waiting') expect(host.status.until).toBe(until);
      expect(events).toEqual(wanted);
      expect([host.emitted, host.suppressed]).toEqual([emitted, 2 * emitted]);
      expect(lives.map(({ isRestart }) => isRestart)).toEqual(lives.map((_life, at) => at > 0));
      // Only the last life works, and each was started once at most.
      for (const former of lives.slice(0, -1)) expect(former.state).not.toBe('running');
      for (const { starts } of lives) expect(starts).toBeLessThanOrEqual(1);
    }
    // Whatever was due is over: a stopped one never comes back.
    pass(market.now() + 1e9);
    market.advanceTo(market.now() + 1e9);
    expect([host.status.state, lives.length]).toEqual([state, count]);
    void faults;
  });
  const cases = [
    'restarted',
    'waiting',
    'quarantined',
    'replaced while it waits',
    'stopped while it waits',
  ];
  if (isFull) expect(tried.rare(cases, 10)).toEqual([]);
});
