import fc from 'fast-check';
import { BehaviorSubject, NEVER } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/createVirtualEnv.ts';
import { closeGateOnOutage } from '../../../src/runtime/control/closeGateOnOutage.ts';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';
import { createStreams, type Streams } from '../../../src/streams/index.ts';
import { accountSnapshot, position } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

const WALLETS = ['main', 'hedge'] as const;
const LAYERS = ['venue', 'market_data', 'executor'] as const;
const STATUSES = ['ok', 'degraded', 'down'] as const;
const META = { channel: '_meta', params: {} };
/** The default wallet is not named. */
const accountOf = (wallet: string) => ({
  channel: 'account.state',
  params: wallet === 'main' ? {} : { wallet },
});

async function setUp() {
  const link = new ScriptedLink();
  link.snapshots = ({ channel }) => (channel === 'account.state' ? accountSnapshot() : null);
  const streams = createStreams({ link, env: createVirtualEnv(), defaultWallet: 'main' });
  await streams.open();
  const gate = createEntryGate();
  const following = closeGateOnOutage(streams, WALLETS, gate, false);
  onTestFinished(() => following.unsubscribe());
  return { link, gate };
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('layer' as const),
    layer: fc.constantFrom(...LAYERS),
    status: fc.constantFrom(...STATUSES),
  }),
  fc.record({ kind: fc.constant('gap' as const), wallet: fc.constantFrom(...WALLETS) }),
  fc.record({ kind: fc.constant('snapshot' as const), wallet: fc.constantFrom(...WALLETS) }),
  fc.record({ kind: fc.constant('line' as const), isOpen: fc.boolean() }),
);

test('the gate is closed for as long as any line, layer or account is not whole, and no longer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { link, gate } = await setUp();
      const layers = new Map<string, string>();
      const broken = new Set<string>();
      let isOpen = true;
      let before: readonly string[] = [];
      let received: number[] = [];
      gate.listen((reasons) => void received.push(reasons.length));
      for (const one of steps) {
        received = [];
        if (one.kind === 'line') {
          if (one.isOpen === isOpen) continue;
          isOpen = one.isOpen;
          if (isOpen) link.reopen(WALLETS.map(accountOf));
          else link.lose();
          broken.clear();
          if (!isOpen) for (const wallet of WALLETS) broken.add(wallet);
        } else if (!isOpen) continue;
        else if (one.kind === 'layer') {
          layers.set(one.layer, one.status);
          const { layer, status } = one;
          const event = status === 'ok' ? 'recovered' : 'degraded';
          link.say(META, event, status === 'ok' ? { layer } : { layer, status });
        } else if (one.kind === 'gap') {
          // The snapshot that is asked for comes at its own time.
          const { snapshots } = link;
          link.snapshots = () => null;
          link.next(accountOf(one.wallet), 'position', position(1));
          link.say(accountOf(one.wallet), 'position', position(2));
          link.snapshots = snapshots;
          broken.add(one.wallet);
        } else {
          link.market.advanceTo(link.market.now() + 1);
          if (!broken.has(one.wallet)) continue;
          link.reopen([]);
          link.subscribe(accountOf(one.wallet));
          broken.delete(one.wallet);
        }
        const expected = [
          ...(isOpen ? [] : ['the stream is lost']),
          ...[...layers].flatMap(([name, status]) =>
            status === 'ok' ? [] : [`${name} is ${status}`],
          ),
          ...(broken.size > 0 ? ['account frames are missing'] : []),
        ];
        expect(gate.reasons().toSorted()).toEqual(expected.toSorted());
        // One that worsens, or comes as another goes, does not open it in between.
        if (before.length > 0 && expected.length > 0) expect(received).not.toContain(0);
        before = expected;
      }
    }),
    { numRuns: 60 },
  );
});

test('each silent channel closes the gate until it speaks again, and opens it for itself alone', () => {
  const silent$ = new BehaviorSubject<ReadonlyArray<{ channel: string; params: object }>>([]);
  const streams = {
    silent$,
    status$: NEVER,
    connectivity$: NEVER,
    wallet: () => ({ account$: NEVER }),
  } as unknown as Streams;
  const gate = createEntryGate();
  closeGateOnOutage(streams, WALLETS, gate, true);
  const [btc, eth] = ['BTC', 'ETH'].map((symbol) => ({
    channel: 'candles',
    params: { symbol, interval: '1m' },
  }));
  const prices = { channel: 'price', params: { symbol: 'BTC' } };
  silent$.next([btc!, eth!]);
  expect(gate.reasons()).toEqual(['candles BTC 1m is silent', 'candles ETH 1m is silent']);
  silent$.next([eth!, prices]);
  expect(gate.reasons()).toEqual(['candles ETH 1m is silent', 'price BTC is silent']);
  silent$.next([]);
  expect(gate.reasons()).toEqual([]);
});
