/** Which closed bars are instants of a run: those that close while the bot follows, and none of its history. */
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv, type Subscription } from '../../../src/env/index.ts';
import { followAsset, followSymbol } from '../../../src/runtime/members/followSymbol.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { bar, MINUTE } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

test.each(['a symbol of strategies', 'an asset'])(
  'a bar of before values what is held, and is no instant: %s',
  async (what) => {
    const link = new ScriptedLink();
    let candles: Subscription | undefined;
    link.snapshots = (subscription) => {
      candles = subscription;
      return { candles: [bar(5), bar(6)] };
    };
    link.market.advanceTo(7 * MINUTE);
    const streams = createStreams({ link, env: createVirtualEnv() });
    await streams.open();
    const seen: string[] = [];
    const follow = (_symbol: string) => (one: { close: number }) =>
      void seen.push(`mark ${one.close}`);
    const ledgerOf = (name: string) => ({
      mark: (_symbol: string, close: number) => void seen.push(`${name} ${close}`),
    });
    const members = new Map(
      [
        ['one', ['BTC']],
        ['other', ['ETH']],
        ['two', ['ETH', 'BTC']],
      ].map(([name, symbols]) => [name, { planned: { symbols }, ledger: ledgerOf(String(name)) }]),
    );
    const start = what === 'an asset' ? followAsset : followSymbol;
    const following = start('BTC', {
      plan: { markInterval: () => '1m', instruments: [{ symbol: 'BTC' }] },
      streams,
      members,
      marks: { follow, followAsset: follow },
      instants: { bar: (time: number) => void seen.push(`instant ${time / MINUTE}`) },
      deferred: { lane: () => undefined },
      onBar: (time?: number) => void seen.push(`bar${time === undefined ? '' : ` of ${time}`}`),
    } as never);
    onTestFinished(() => following.unsubscribe());
    const owners = (close: number) => (what === 'an asset' ? [] : [`one ${close}`, `two ${close}`]);
    const instant = (time: number) => (what === 'an asset' ? [] : [`instant ${time}`]);
    const { close } = bar(6);
    expect(seen).toEqual([`mark ${close}`, ...owners(close), 'bar']);
    seen.length = 0;
    link.market.advanceTo(8 * MINUTE);
    link.say(candles!, 'bar_closed', bar(7));
    const next = bar(7).close;
    expect(seen).toEqual([...instant(8), `mark ${next}`, ...owners(next), 'bar']);
  },
);
