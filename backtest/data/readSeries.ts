import { fileFault, type FeedResult } from '../../src/paper/index.ts';
import { readDataFile, type DataFile, type ReadOptions } from './readDataFile.ts';

export type Series = Exclude<DataFile, { kind: 'trades' }>;

/** Bars or funding of a file; trades must be imported first. */
export async function readSeries(
  path: string,
  options: ReadOptions,
): Promise<FeedResult<Series[]>> {
  const read = await readDataFile(path, options);
  if (!read.ok) return read;
  const trades = read.value.find(({ kind }) => kind === 'trades');
  if (trades !== undefined) {
    const remedy = 'Make bars of them first: `trimtab data import`.';
    return fileFault(trades.file, `holds ${trades.title}, not bars.`, remedy);
  }
  return { ok: true, value: read.value as Series[] };
}
