import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { FundingRates } from '../market/FundingSchedule.ts';
import type { FeedProblem, FeedResult } from './FeedProblem.ts';

/**
 * Loads funding settlements: CSV with `timestamp,funding_rate` first (epoch ms; a fraction, positive:
 * longs pay), plain or `.gz`. These files are small, so they are simply split.
 */
export async function loadFundingFile(path: string): Promise<FeedResult<FundingRates>> {
  const fault = (
    line: number | null,
    value: string | null,
    message: string,
  ): { ok: false; problem: FeedProblem } => {
    const remedy = 'A funding file has the columns timestamp,funding_rate, ascending.';
    return { ok: false, problem: { file: path, line, column: null, value, message, remedy } };
  };
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes);
  } catch (error) {
    return fault(null, null, `It can't be read: ${(error as Error).message}.`);
  }
  const [header = '', ...lines] = bytes.toString('utf8').trimEnd().split(/\r?\n/);
  if (!header.startsWith('timestamp,funding_rate')) return fault(1, header, 'is not the header.');
  const time = new Float64Array(lines.length);
  const rate = new Float64Array(lines.length);
  for (const [row, line] of lines.entries()) {
    const [at = '', share = ''] = line.split(',');
    if (at.trim() === '' || share.trim() === '') return fault(row + 2, line, 'lacks a column.');
    time[row] = Number(at);
    rate[row] = Number(share);
    if (!Number.isFinite(time[row]) || !Number.isFinite(rate[row])) {
      return fault(row + 2, line, 'holds no two numbers.');
    }
    if (row > 0 && time[row]! <= time[row - 1]!) return fault(row + 2, line, 'goes back in time.');
  }
  return { ok: true, value: { time, rate } };
}
