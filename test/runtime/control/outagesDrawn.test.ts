import fc from 'fast-check';
import { NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { followOutages } from '../../../src/runtime/control/followOutages.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { holdLaw } from '../../holdLaw.ts';
import { account, accountSnapshot, fill } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';
import { countsOf, createListedService } from '../listedService.ts';

const WALLETS = ['main', 'side'];
const START = 36_000_000;
const PAGE = 3;

const count = fc.constantFrom(...countsOf(PAGE));
const drawn = fc.record({
  /** Outages in a row; fills of each wallet that are seen before one, that pass in it, and that come after it. */
  outages: fc.array(
    fc.record({
      seen: fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 })),
      missed: fc.tuple(count, count),
      after: fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 })),
      lastsMs: fc.constantFrom(1_000, 60_000, 300_000),
      /** The connection stays, and a frame of the account is missing. */
      isGap: fc.boolean(),
      turns: fc.constantFrom(4, 40),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  /** Without one a fill and its opposite leave no trace in a snapshot. */
  fee: fc.constantFrom(0, 0.01),
  /** Turns of the loop that an answer takes; an outage may come while the one before is still read. */
  latency: fc.constantFrom(0, 0, 3, 20),
  isBusy: fc.array(fc.boolean(), { maxLength: 6 }),
  /** The list lacks what is younger. */
  lagMs: fc.constantFrom(0, 0, 5_000, 30_000),
});

const subscriptionOf = (wallet: string) => ({
  channel: 'account.state' as const,
  params: wallet === 'main' ? {} : { wallet },
});

test('after an outage each wallet has each of its fills once, whatever page it is on', async () => {
  await holdLaw(200, drawn, async ({ outages, isBusy, fee, latency, lagMs }) => {
    const link = new ScriptedLink();
    const env = createVirtualEnv();
    const known = new Map(WALLETS.map((wallet) => [wallet, [] as ReturnType<typeof fill>[]]));
    let now = START;
    /** When each fill was made, by a clock that nobody sets. */
    const madeAt = new Map<string, number>();
    const snapshotOf = (wallet: string) => {
      const fees = known.get(wallet)!.length * fee;
      return accountSnapshot({
        account: { ...account, wallet, time: now, fees_paid: fees },
      });
    };
    link.snapshots = ({ params }) => snapshotOf(String(params['wallet'] ?? 'main'));
    const service = createListedService(
      ({ wallet, query }) =>
        known
          .get(wallet!)!
          .filter(({ time }) => time >= Number(query['start_time']))
          .filter(({ fill_id }) => madeAt.get(fill_id)! <= env.queue.now() - lagMs)
          .toReversed(),
      PAGE,
      (request) =>
        isBusy[request] === true
          ? { kind: 'answered', response: { status: 503, headers: {}, body: '' } }
          : undefined,
    );
    const streams = createStreams({ link, env, defaultWallet: 'main' });
    await streams.open();
    const received = new Map(WALLETS.map((wallet) => [wallet, [] as string[]]));
    for (const wallet of WALLETS)
      streams.wallet(wallet).fills$.subscribe(({ fill_id }) => received.get(wallet)!.push(fill_id));
    const following = followOutages({
      streams,
      wallets: WALLETS,
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
      plan: { dialect: { ...defaultDialect, limits: { ...defaultDialect.limits, pageMax: PAGE } } },
      async request(request) {
        for (let turn = 0; turn < latency; turn++) await Promise.resolve();
        return service.request(request);
      },
      resyncMs: null,
      keyWatch: { accepted$: NEVER },
    });
    const settle = async (turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) {
        await Promise.resolve();
        if (turn % 4 === 3) env.queue.advanceTo(env.queue.now() + 5_000);
      }
    };
    let ids = 0;
    const fills = (wallet: string, length: number, isSeen: boolean): void => {
      for (let at = 0; at < length; at++) {
        now += 1;
        const one = { ...fill(`f${++ids}`), time: now, fee };
        known.get(wallet)!.push(one);
        madeAt.set(one.fill_id, env.queue.now());
        const frame = link.next(subscriptionOf(wallet), 'fill', one);
        if (isSeen) link.deliver(frame);
      }
    };
    const pass = (ms: number): void => {
      now += ms;
      link.market.advanceTo(now);
      env.queue.advanceTo(env.queue.now() + ms);
    };
    pass(1_000);
    for (const { seen, missed, after, lastsMs, isGap, turns } of outages) {
      for (const [at, wallet] of WALLETS.entries()) fills(wallet, seen[at]!, true);
      if (!isGap) link.lose();
      for (const [at, wallet] of WALLETS.entries()) fills(wallet, missed[at]!, false);
      pass(lastsMs);
      if (!isGap) link.reopen(WALLETS.map(subscriptionOf));
      await settle(turns);
      for (const [at, wallet] of WALLETS.entries()) {
        fills(wallet, isGap ? Math.max(1, after[at]!) : after[at]!, true);
      }
      await settle(turns);
      pass(1_000);
    }
    await settle(600);
    following.unsubscribe();
    for (const wallet of WALLETS) {
      expect(received.get(wallet)!.toSorted(), wallet).toEqual(
        known
          .get(wallet)!
          .map(({ fill_id }) => fill_id)
          .toSorted(),
      );
    }
  });
});
