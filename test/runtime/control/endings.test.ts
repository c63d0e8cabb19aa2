import { describe, expect, test } from 'vitest';
import { closePosition, modifyOrder, type Intent } from '../../../src/intents/index.ts';
import type { IntentState } from '../../../src/journal/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { endAll } from '../../../src/runtime/control/endAll.ts';
import { learnScope } from '../../../src/runtime/control/learnScope.ts';
import { listUnanswered, listWaitingExits } from '../../../src/runtime/control/listUnanswered.ts';
import { keyBefore, latchKey, rotateKey } from '../../../src/runtime/control/rotateKey.ts';
import { order } from '../setUpPipe.ts';

describe('an end in steps', () => {
  test('takes each step in order, whatever became of those before', async () => {
    const taken: number[] = [];
    const step =
      (at: number, fails = false) =>
      async (): Promise<void> => {
        taken.push(at);
        await Promise.resolve();
        if (fails) throw new Error(`step ${at}`);
      };
    await expect(endAll([step(1), step(2, true), step(3)])).rejects.toThrow('step 2');
    expect(taken).toEqual([1, 2, 3]);
    await expect(endAll([step(4, true), step(5, true)])).rejects.toThrow(/step 4[^]*step 5/);
    await endAll([step(6)]);
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('says what several have in common once, in the order in which they failed', async () => {
    const failing = ['full', 'away', 'full', 'full'].map((reason) => () => {
      throw new Error(reason);
    });
    await expect(endAll(failing)).rejects.toThrow(/^full\n {2}And then: away$/);
  });

  test('begins none before the one before is over', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isLater = false;
    const ended = endAll([() => promise, () => void (isLater = true)]);
    await Promise.resolve();
    expect(isLater).toBe(false);
    resolve();
    await ended;
    expect(isLater).toBe(true);
  });
});

/** A journal with an intent for each of these lives. */
function journalOf(
  lives: Readonly<Record<string, readonly IntentState[]>>,
  intent: Intent = order,
  lane = 'entry',
) {
  const store = createMemoryStore();
  for (const [key, states] of Object.entries(lives)) {
    const text = JSON.stringify({ intent, trigger: {} });
    const row = { key, decisionKey: key, generation: 0, instance: 'a', wallet: 'main' };
    const entries = states.map((state, at) => ({
      key,
      state,
      wallTime: 0,
      marketTime: 7 + at,
      data: state === 'guarded' ? JSON.stringify({ lane }) : '',
    }));
    void store.append({ intent: { ...row, kind: intent.kind, intent: text }, entries });
  }
  return store;
}

describe('at the end of a bot', () => {
  const lives: Record<string, readonly IntentState[]> = {
    waits: ['emitted', 'guarded'],
    deferred: ['emitted', 'guarded', 'sending', 'deferred'],
    sending: ['emitted', 'guarded', 'sending'],
    unknown: ['emitted', 'guarded', 'sending', 'unknown'],
    unresolved: ['emitted', 'guarded', 'sending', 'unknown', 'unresolved'],
    over: ['emitted', 'guarded', 'sending', 'accepted'],
  };

  test('unanswered is what was sent and has no outcome, and nothing else', () => {
    const store = journalOf(lives);
    expect(listUnanswered(store).map(({ key, symbol, time }) => [key, symbol, time])).toEqual([
      ['sending', 'BTC', 7],
      ['unknown', 'BTC', 7],
      ['unresolved', 'BTC', 7],
    ]);
  });

  test('waiting is an exit of which nothing was sent, and no entry', () => {
    const close = closePosition.atMarket('BTC');
    const keysOf = (store: ReturnType<typeof journalOf>) =>
      listWaitingExits(store).map(({ key, kind, state }) => `${key} ${kind} ${state}`);
    expect(keysOf(journalOf(lives))).toEqual([]);
    expect(keysOf(journalOf(lives, close))).toEqual([
      'waits close_position guarded',
      'deferred close_position deferred',
    ]);
    // The intent alone does not say that the order which it moves is an exit.
    const move = modifyOrder({ order_id: 'ord_1' }, { price: 9 });
    expect(keysOf(journalOf({ waits: lives['waits']! }, move))).toEqual([]);
    expect(keysOf(journalOf({ waits: lives['waits']! }, move, 'exit'))).toEqual([
      'waits modify_order guarded',
    ]);
  });
});

test('AUTH-4: the scope that a refusal names is learned, and nothing of other refusals', () => {
  const refused = new Set<never>();
  learnScope(refused, {
    code: 'insufficient_scope',
    message: '',
    details: { required_scope: 'trade' },
  } as never);
  learnScope(refused, {
    code: 'insufficient_scope',
    message: '',
    details: { required_scope: 'fly' },
  } as never);
  learnScope(refused, {
    code: 'not_found',
    message: '',
    details: { required_scope: 'algo' },
  } as never);
  expect([...refused]).toEqual(['trade']);
});

test('another key forgets what the service said of the old one, and is journaled before it resolves', async () => {
  const store = createMemoryStore();
  void latchKey(store, 'vk_1', 1);
  expect(keyBefore(store)).toBe('vk_1');
  const refusedScopes = new Set(['trade'] as const);
  const learned: unknown[] = [];
  const said: string[] = [];
  const parts = {
    store,
    refusedScopes: refusedScopes as never,
    keyWatch: { accepted: () => said.push('forgotten') } as never,
    budget: { startOver: (...given: unknown[]) => learned.push(given) } as never,
    learning: { startOver: () => said.push('former answers') },
    time: 5,
  };
  const rotation = {
    keyId: 'vk_2',
    previous: 'vk_1',
    fingerprint: 'abc',
    reason: 'asked',
    unanswered: 0,
  };
  await rotateKey({ ...rotation, budget: { limit: 900, remaining: 700 } }, parts);
  expect([refusedScopes.size, learned, said]).toEqual([0, [[900, 700]], ['forgotten']]);
  expect(store.latch('api key')).toMatchObject({ value: 'vk_2', time: 5 });
  // The same key with another secret has the same budget.
  await rotateKey({ ...rotation, unanswered: 1 }, parts);
  expect(learned).toHaveLength(1);
  expect(said).not.toContain('former answers');
  // What the former key signed says nothing of another key's budget.
  const budget = { limit: 900, remaining: 700 };
  await rotateKey({ ...rotation, unanswered: 1, budget }, parts);
  expect(said).toContain('former answers');
});
