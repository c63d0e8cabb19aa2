import { expect, test } from 'vitest';
import { readDataFile } from '../../../backtest/data/readDataFile.ts';
import { writeFiles } from './writeFiles.ts';

const BARS =
  'timestamp,open,high,low,close,volume\n1725148800000,1,1,1,1,1\n1725152400000,1,1,1,1,1\n';

/** What follows a dash in the name of a market, and is none itself. */
const QUOTES = 'USD USDT USDC USDE BUSD FDUSD TUSD DAI EUR GBP JPY AUD CAD CHF BRL TRY KRW'.split(
  ' ',
);
const KINDS = 'SWAP PERP PERPETUAL FUTURE FUTURES SPOT 20260327'.split(' ');

test('no file is of the quote currency or the kind of contract that its name ends with', async () => {
  const parts = [...QUOTES, ...KINDS];
  const names = parts.flatMap((part) => [`BTC-${part}`, `BTC-USD-${part}`, `btc-${part}`]);
  const lower = parts.map((part) => `btc-${part.toLowerCase()}`);
  for (const name of [...names, ...lower]) {
    const [path] = await writeFiles({ [`${name}-1h.csv`]: BARS });
    const read = await readDataFile(path!, {});
    expect(read, name).toMatchObject({ ok: true, value: [{ symbol: null, interval: '1h' }] });
  }
  for (const name of ['BINANCE-BTCUSDT', 'BTCUSDT', 'KRAKEN-SOL', 'BINANCE-SPOTX']) {
    const [path] = await writeFiles({ [`${name}-1h.csv`]: BARS });
    const symbol = name.split('-').at(-1);
    expect(await readDataFile(path!, {}), name).toMatchObject({ value: [{ symbol }] });
  }
});
