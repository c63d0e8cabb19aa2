import { afterEach, expect, test } from 'vitest';
import { silentLog, type LogFields } from '../../../src/env/index.ts';
import { placeOrder, setLeverage } from '../../../src/intents/index.ts';
import { followBot } from '../../../src/operate/run/followBot.ts';
import { createRunRecord } from '../../../src/runtime/record/createRunRecord.ts';
import { drawTape, still } from '../../e2e/flows/drawTape.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

test('a liquidation is one event, before its fill; log, record, ledger and strategy receive it', async () => {
  const prices = [...still(60_000, 5), 57_000, ...still(57_000, 5)];
  const feeds = [drawTape(prices, { quiet: 100 })];
  const server = await openTestServer({ balance: 2_000, warmup: 100 }, { feeds });
  open.push(server);
  const seen: string[] = [];
  const times: number[] = [];
  const reported = await openTestBot(server, {
    // It happened a moment before it was reported.
    receives(frame) {
      if (frame.channel !== 'account.state' || frame.event !== 'liquidation') return frame;
      const time = frame.ts - 250;
      times.push(time);
      return { ...frame, data: { ...(frame.data as object), time } } as typeof frame;
    },
    setup(ctx) {
      ctx.position('BTC').subscribe((held) => seen.push(`holds ${held?.size ?? 0}`));
      ctx.fills$.subscribe(({ side, size }) => seen.push(`${side} ${size}`));
    },
  });
  open.push(reported);
  const record = createRunRecord(reported.bot, {
    instances: ['told'],
    wallets: ['main'],
    keepAll: false,
  });
  const errors: Array<[string, LogFields | undefined]> = [];
  const error = (text: string, fields?: LogFields) => void errors.push([text, fields]);
  followBot(reported.bot, { ...silentLog, error });
  await reported.step(1);
  reported.propose(setLeverage('BTC', { leverage: 40 }));
  reported.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 }));
  await reported.step(8);

  const kinds = reported.events.map(({ kind }) => kind);
  const passed = kinds.filter((kind) => kind === 'fill' || kind === 'liquidation');
  expect(passed).toEqual(['fill', 'liquidation', 'fill']);
  expect(record.liquidations).toEqual(
    times.map((time) => ({ time, wallet: 'main', symbol: 'BTC', instance: 'told' })),
  );
  const fields = { strategy: 'told', wallet: 'main', symbol: 'BTC' };
  expect(errors).toEqual([['BTC on main was liquidated', fields]]);
  expect(reported.bot.ledgerOf('told').position('BTC')).toBe(0);
  expect(seen).toEqual(['holds 0', 'buy 1', 'holds 1', 'sell 1', 'holds 0']);
});
