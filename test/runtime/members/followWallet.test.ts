/** What a wallet's frames are worth to its strategies' ledgers: each payment once, whatever was lost. */
import { Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { followWallet } from '../../../src/runtime/members/followWallet.ts';
import type { WalletEvent } from '../../../src/runtime/wallet/index.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { account, accountSnapshot, execution, position } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

const ACCOUNT = { channel: 'account.state', params: { wallet: 'main' } };
const EXECUTIONS = { channel: 'executions', params: { wallet: 'main' } };

async function open() {
  const link = new ScriptedLink();
  const env = createVirtualEnv();
  const streams = createStreams({ link, env });
  await streams.open();
  const funded: number[] = [];
  const events: WalletEvent[] = [];
  const events$ = new Subject<WalletEvent>();
  events$.subscribe((event) => events.push(event));
  const none = (): void => {};
  const ledger = {
    fund: none,
    adopt: none,
    fill: none,
    funding: (_symbol: string, amount: number) => funded.push(amount),
  };
  const planned = { name: 'one', wallet: 'main', symbols: ['BTC'], capitalShare: 1 };
  const following = followWallet('main', {
    streams,
    members: new Map([['one', { planned, ledger }]]),
    book: {
      model: none,
      equity: () => 1_000,
      position: () => 0,
      order: () => undefined,
      orderShown: none,
      positionShown: none,
      fill: none,
      fillInTurn: none,
      executions: none,
      watches: none,
      monitors: none,
      funding: none,
    },
    exposure: { seen: none, shown: none },
    accepted: { seen: none, closedBy: () => false },
    isOwn: () => false,
    coverage: { see: none },
    instants: { reach: none },
    events$,
    holdings: { fill: none },
    snapshotsOf: () => ({ shown: none, setBack: none, inTurn: none, includesFill: () => false }),
    manages: () => true,
    market: link.market,
  } as never);
  onTestFinished(() => following.unsubscribe());
  const snapshot = (funding_paid: number): void => {
    const positions = [position(1)];
    link.say(
      ACCOUNT,
      'snapshot',
      accountSnapshot({ positions, account: { ...account, funding_paid } }),
    );
  };
  /** Another one is asked for and comes. */
  const again = (funding_paid: number): void => {
    link.market.advanceTo(link.market.now() + 1_000);
    link.snapshots = () => null;
    streams.resync();
    snapshot(funding_paid);
  };
  const pay = (amount: number): void =>
    link.say(ACCOUNT, 'funding', { symbol: 'BTC', amount, rate: 0.0001, time: link.market.now() });
  return { link, streams, funded, events, snapshot, again, pay };
}

test('funding is charged as its frames come, and what none reported with the next snapshot', async () => {
  const { funded, snapshot, again, pay } = await open();
  snapshot(100);
  pay(5);
  again(105);
  pay(3);
  pay(-1);
  again(107);
  expect(funded).toEqual([5, 3, -1]);
  // Frames of the last two were lost, one of them beside another that came.
  again(109);
  pay(4);
  again(114);
  expect(funded).toEqual([5, 3, -1, 2, 4, 1]);
  again(114);
  expect(funded).toHaveLength(6);
});

test('what was paid before the first snapshot is in what that shows', async () => {
  const { funded, snapshot, again, pay } = await open();
  pay(5);
  snapshot(105);
  again(105);
  expect(funded).toEqual([]);
  pay(2);
  again(107);
  expect(funded).toEqual([2]);
});

test('an execution that a snapshot lacks is no event of its strategy', async () => {
  const { link, streams, events, snapshot } = await open();
  snapshot(0);
  link.say(EXECUTIONS, 'snapshot', { executions: [execution('e1'), execution('e2')] });
  const shown = () =>
    events.flatMap((one) => (one.kind === 'execution' ? [one.execution.execution_id] : []));
  expect(shown()).toEqual(['e1', 'e2']);
  link.market.advanceTo(1_000);
  streams.resync();
  link.say(EXECUTIONS, 'snapshot', { executions: [execution('e2')] });
  expect(shown()).toEqual(['e1', 'e2', 'e2']);
});
