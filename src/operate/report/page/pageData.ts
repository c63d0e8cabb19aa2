import type { PageData } from '../toPageData.ts';
import { decimalsOf, priceFormatter, size, type PriceFormat } from './format.ts';

/** What the page shows, as the report wrote it into its own text. */
export const data = JSON.parse(document.getElementById('report-data')!.textContent) as PageData;

const priceFormats = Object.fromEntries(
  Object.entries(data.symbols).map(([symbol, bars]) => [
    symbol,
    priceFormatter(decimalsOf(bars.close)),
  ]),
);

/** A symbol's prices with as many decimals as its bars have. */
export const priceOf = (symbol: string): PriceFormat => priceFormats[symbol] ?? size;
