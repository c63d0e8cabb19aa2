import type { PageData } from '../toPageData.ts';
import { decimalsOf, priceFormatter, size, type PriceFormat } from './format.ts';
import { unpackJson } from './unpackJson.ts';

/** What the page shows, as the report wrote it into its own text. */
export const data = await readData(document.getElementById('report-data')!);

/** A long report's data are base64 of packed JSON under raw DEFLATE. */
async function readData(element: HTMLElement): Promise<PageData> {
  const text = element.textContent;
  if (element.dataset.encoding === undefined) return JSON.parse(text) as PageData;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return unpackJson(await new Response(unpacked).json()) as PageData;
}

const priceFormats = Object.fromEntries(
  Object.entries(data.symbols).map(([symbol, bars]) => [
    symbol,
    priceFormatter(decimalsOf(bars.close)),
  ]),
);

/** A symbol's prices with as many decimals as its bars have. */
export const priceOf = (symbol: string): PriceFormat => priceFormats[symbol] ?? size;
