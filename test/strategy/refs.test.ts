/** What is kept of refs: the newest of them, and the newest intents of one. */
import { NEVER, Subject, Subscription } from 'rxjs';
import { expect, test } from 'vitest';
import { lastOfRefs } from '../../src/strategy/lastOfRefs.ts';
import type { Outcome } from '../../src/strategy/Outcome.ts';
import { createByRef } from '../../src/strategy/refs/createByRef.ts';

const outcomeOf = (
  ref: string,
  state: Outcome['state'] = 'sending',
  decisionKey = `of ${ref}`,
): Outcome =>
  ({
    state,
    intent: { kind: 'place_order', ref, request: { symbol: 'BTC', side: 'buy', size: 1 } },
    decisionKey,
    time: 0,
  }) as Outcome;

test('of a thousand refs the one whose outcome is oldest is forgotten, not the first one', () => {
  const outcomes$ = new Subject<Outcome>();
  const last = lastOfRefs(outcomes$, new Subscription(), () => {});
  for (let at = 0; at < 1_000; at++) outcomes$.next(outcomeOf(`ref-${at}`));
  outcomes$.next(outcomeOf('ref-0', 'accepted'));
  outcomes$.next(outcomeOf('ref-1000'));
  expect(last('ref-0')?.state).toBe('accepted');
  expect(last('ref-1')).toBeUndefined();
  expect(last('ref-2')?.state).toBe('sending');
});

test('late news of the intents before is not of the newest one, however often a ref was used', () => {
  const byRef = createByRef({
    refs$: NEVER,
    lastOf: () => undefined,
    toPlugin: () => NEVER,
    lifetime: new Subscription(),
    onSourceFailed: (error) => {
      throw error;
    },
  });
  const view = byRef.view('rung');
  for (let use = 1; use <= 40; use++)
    byRef.outcome(outcomeOf('rung', 'sending', `decision ${use}`));
  for (let use = 24; use < 40; use++) {
    byRef.outcome(outcomeOf('rung', 'rejected', `decision ${use}`));
    expect(view.outcome, `decision ${use}`).toMatchObject({
      state: 'sending',
      decisionKey: 'decision 40',
    });
  }
});
