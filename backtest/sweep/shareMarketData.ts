import type { MarketData } from '../../src/paper/index.ts';

/** The same data with its columns in memory that threads share instead of copying; shared columns stay. */
export function shareMarketData(data: MarketData): MarketData {
  return shared(data) as MarketData;
}

function shared(value: unknown): unknown {
  if (value instanceof Float64Array) {
    if (value.buffer instanceof SharedArrayBuffer) return value;
    const copy = new Float64Array(new SharedArrayBuffer(value.byteLength));
    copy.set(value);
    return copy;
  }
  if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shared);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shared(part)]));
}
