import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { endedStrategies, watchEarlyEnd } from '../../../src/operate/run/watchEarlyEnd.ts';
import type { BotEvent } from '../../../src/runtime/BotEvent.ts';

function watch() {
  const events$ = new Subject<BotEvent>();
  const early = watchEarlyEnd({
    bot: { events$, hosts: [] },
    config: { strategies: [], link: { kind: 'live' } },
    plan: { instruments: [] },
    fatal: () => undefined,
    isStopped: () => false,
    endsOutsideTurn: false,
  } as never);
  const refuse = (more: object): void => {
    const subscription = { channel: 'account.state', params: {} };
    const error = { code: 'internal', message: 'Internal error' };
    const fault = { kind: 'refused', subscription, error, ...more };
    events$.next({ kind: 'stream_fault', fault, askers: [] } as BotEvent);
  };
  return { early, refuse };
}

test('a stream that is refused for good ends a run, and says which', () => {
  const { early, refuse } = watch();
  refuse({});
  expect(early.isOver()).toBe(true);
  expect(JSON.stringify(early.toResult())).toContain('The stream account.state is refused');
});

test('one that is asked for again does not', () => {
  const { early, refuse } = watch();
  refuse({ isAskedAgain: true });
  expect([early.isOver(), early.toResult().ok]).toEqual([false, true]);
});

test('of several that are refused, the first is what the run ended for', () => {
  const { early, refuse } = watch();
  refuse({});
  refuse({ subscription: { channel: 'monitors', params: {} } });
  expect(JSON.stringify(early.toResult())).toContain('The stream account.state is refused');
});

test('a strategy that ended is listed, also where it waits for its restart', () => {
  const fault = (instance: string) => ({ instance, kind: 'threw', reason: `${instance} broke` });
  const hosts = (['running', 'quarantined', 'waiting', 'stopped'] as const).map((state) => ({
    instance: state,
    status: { state, fault: fault(state) },
  }));
  const ended = endedStrategies({ hosts } as never, { strategies: [] } as never);
  expect(ended.map((text) => /strategy (\w+) threw: (.*)$/.exec(text)?.slice(1))).toEqual([
    ['quarantined', 'quarantined broke'],
    ['waiting', 'waiting broke'],
  ]);
});
