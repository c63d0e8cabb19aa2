import fc from 'fast-check';
import { NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { followOutages } from '../../../src/runtime/control/followOutages.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { account, accountSnapshot, fill } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

/** Snapshots of two wallets that agree with the fills that were seen, and some that do not. */

const WALLETS = ['main', 'side'] as const;
const START = 36_000_000;
const wallet = fc.constantFrom(...WALLETS);
const fee = fc.constantFrom(0.01, 0.5, 3);
const step = fc.oneof(
  fc.record({ does: fc.constant('fill' as const), wallet, fee }),
  // Its frame comes after a snapshot that holds it.
  fc.record({ does: fc.constant('fill in a snapshot' as const), wallet, fee }),
  fc.record({ does: fc.constant('snapshot' as const) }),
);
const drawn = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 12 }),
  /** Of which wallet a fill was lost at the end, with its fee. */
  loses: fc.option(fc.record({ wallet, fee }), { nil: undefined }),
});

const subscriptionOf = (name: string) => ({
  channel: 'account.state' as const,
  params: name === 'main' ? {} : { wallet: name },
});

test('fills are read where a snapshot’s fees lack one that was seen or hold one that was not, and only then', async () => {
  const tried = new Tried();
  await holdLaw(900, drawn, async ({ steps, loses }) => {
    const link = new ScriptedLink();
    const env = createVirtualEnv();
    const paid = new Map(WALLETS.map((name): [string, number] => [name, 0]));
    const asked: string[] = [];
    const expected: string[] = [];
    let now = START;
    link.snapshots = ({ params }) => {
      const name = String(params['wallet'] ?? 'main');
      return accountSnapshot({
        account: { ...account, wallet: name, time: now, fees_paid: paid.get(name)! },
      });
    };
    const streams = createStreams({ link, env, defaultWallet: 'main' });
    await streams.open();
    for (const name of WALLETS) streams.wallet(name).fills$.subscribe();
    const following = followOutages({
      streams,
      wallets: [...WALLETS],
      env,
      market: link.market,
      budget: createBudget({
        limit: 1e6,
        windowMs: 60_000,
        share: 1,
        reserveShare: 0.3,
        reserveFloor: 40,
        exitWeight: () => 0,
        now: () => env.clock.monotonicNow(),
      }),
      plan: { dialect: defaultDialect },
      request({ endpoint, wallet: of }) {
        if (endpoint === 'orders.fills') asked.push(of!);
        const body = { items: [], next_cursor: null };
        return { kind: 'answered', response: { status: 200, headers: {}, body } };
      },
      resyncMs: null,
      keyWatch: { accepted$: NEVER },
    });
    const pass = async (ms: number): Promise<void> => {
      now += ms;
      link.market.advanceTo(now);
      env.queue.advanceTo(env.queue.now() + ms);
      for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    };
    await pass(1);
    let ids = 0;
    for (const one of steps) {
      await pass(1_000);
      if (one.does !== 'snapshot') {
        paid.set(one.wallet, paid.get(one.wallet)! + one.fee);
        // At that moment it is not known; its frame comes, and from then on nothing is missing.
        if (one.does === 'fill in a snapshot') {
          streams.resync();
          expected.push(one.wallet);
        }
        link.say(subscriptionOf(one.wallet), 'fill', {
          ...fill(`f${++ids}`),
          time: now,
          fee: one.fee,
        });
      } else streams.resync();
      await pass(1);
    }
    streams.resync();
    await pass(1);
    expect(asked).toEqual(expected);
    if (loses !== undefined) {
      paid.set(loses.wallet, paid.get(loses.wallet)! + loses.fee);
      expected.push(loses.wallet);
    }
    streams.resync();
    await pass(1);
    expect(asked).toEqual(expected);
    following.unsubscribe();
    tried.take(loses === undefined ? 'agrees' : 'lacks one', ...steps.map(({ does }) => does));
  });
  expect(tried.rare(['agrees', 'lacks one', 'fill in a snapshot'], 30)).toEqual([]);
});
