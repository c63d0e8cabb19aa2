import { basename } from 'node:path';
import { INTERVAL_MS, INTERVALS, type Interval } from '../../src/contract/index.ts';
import { counted } from '../../src/env/index.ts';
import { fileFault, percentHint, type CacheFile, type FeedResult } from '../../src/paper/index.ts';
import { joinRows } from './joinRows.ts';
import { requireOneRate, requireValidBars, requireValidFunding } from './requireValidData.ts';
import { readDataFile, type DataFile, type ReadOptions } from './readDataFile.ts';
import { isMultiple, resampleBars, tradesToBars } from './toInterval.ts';

export interface ImportOptions extends ReadOptions {
  /** Interval of the resulting bars; default: that of the files. */
  interval?: Interval | undefined;
  keepPartial: boolean;
}

export interface Imported {
  content: CacheFile;
  /** The data that was read, and what was left out. */
  notes: string[];
}

type Of<Kind> = Extract<DataFile, { kind: Kind }>;

/** Reads files of one market, validates every row, and joins and resamples them. */
export async function importData(
  paths: readonly string[],
  options: ImportOptions,
): Promise<FeedResult<Imported>> {
  const files: DataFile[] = [];
  for (const path of paths) {
    const read = await readDataFile(path, options);
    if (!read.ok) return read;
    files.push(...read.value);
  }
  const first = files[0]!;
  const other = files.find((file) => file.kind !== first.kind || file.symbol !== first.symbol);
  if (other !== undefined) {
    const what = `holds ${other.kind} of ${other.symbol ?? '?'}, ${basename(first.file)} ${first.kind} of ${first.symbol ?? '?'}.`;
    const remedy = 'Import one market at a time; set --symbol if the files name it differently.';
    return fileFault(other.file, what, remedy);
  }
  if (first.symbol === null) {
    return fileFault(first.file, 'does not name its symbol.', 'Name it: --symbol BTC.');
  }
  const imported = importKind(files, options);
  if (!imported.ok) return imported;
  const { content, notes } = imported.value;
  if (content.columns.time.length === 0) {
    const remedy = 'Name a shorter --interval, or --keep-partial.';
    return fileFault(first.file, `covers no complete bar of ${options.interval ?? '1m'}.`, remedy);
  }
  const read = files.flatMap(({ file, title, notes: own }) =>
    [`${basename(file)}: ${title}.`, ...own].join(' '),
  );
  return { ok: true, value: { content, notes: [...read, ...notes] } };
}

function importKind(files: DataFile[], options: ImportOptions): FeedResult<Imported> {
  const { kind } = files[0]!;
  if (kind === 'bars') return importBars(files as Array<Of<'bars'>>, options);
  if (kind === 'funding') return importFunding(files as Array<Of<'funding'>>, options);
  return importTrades(files as Array<Of<'trades'>>, options);
}

function importBars(files: Array<Of<'bars'>>, options: ImportOptions): FeedResult<Imported> {
  const { interval: from, file } = files[0]!;
  const other = files.find(({ interval }) => interval !== from);
  if (other !== undefined) {
    const what = `holds bars of ${other.interval}, ${basename(file)} of ${from}.`;
    return fileFault(other.file, what, 'Import files of one interval together.');
  }
  for (const each of files) {
    const problem = requireValidBars(each, from);
    if (problem !== null) return { ok: false, problem };
  }
  const joined = joinRows(files);
  if (!joined.ok) return joined;
  const { columns, repeated } = joined.value;
  const to = options.interval ?? from;
  if (!isMultiple(to, from)) {
    const remedy = `--interval takes ${from} or a multiple of it.`;
    return fileFault(file, `holds bars of ${from}, which don't add up to ${to}.`, remedy);
  }
  const { keepPartial } = options;
  const made =
    to === from ? { columns, notes: [] } : resampleBars(columns, { from, to, keepPartial });
  const content = { ...aboutOf(files), kind: 'bars' as const, interval: to, columns: made.columns };
  const notes = [
    ...repeatedNote(repeated),
    ...spacingNote(columns.time, options.sourceInterval),
    ...made.notes,
  ];
  return { ok: true, value: { content, notes } };
}

/**
 * Bars that all follow each other by a longer interval, or multiples of it, are likely of that one: gaps of a quiet
 * market differ.
 *
 * @param time opens of bars, epoch milliseconds, ascending
 * @param from the interval that the user gave; what is found in the files is no doubt
 */
function spacingNote(time: Float64Array, from: Interval | undefined): string[] {
  if (from === undefined) return [];
  const steps = time.subarray(1).map((open, at) => open - time[at]!);
  const least = steps.reduce((least, step) => Math.min(least, step), Infinity);
  const longer = INTERVALS.find((each) => INTERVAL_MS[each] === least);
  const isRegular = steps.length > 1 && steps.every((step) => step % least === 0);
  if (longer === undefined || longer === from || !isRegular) return [];
  return [
    `Look at the interval: no two bars are nearer than ${longer}; if they are bars of ${longer}, leave out --source-interval ${from}.`,
  ];
}

function importFunding(files: Array<Of<'funding'>>, options: ImportOptions): FeedResult<Imported> {
  if (options.interval !== undefined) {
    const remedy = 'Leave --interval out: settlements keep their times.';
    return fileFault(files[0]!.file, 'holds funding rates, which have no bars.', remedy);
  }
  for (const each of files) {
    const problem = requireValidFunding(each);
    if (problem !== null) return { ok: false, problem };
  }
  const joined = joinRows(files);
  if (!joined.ok) return joined;
  const { columns, repeated } = joined.value;
  const problem = requireOneRate(columns, files);
  if (problem !== null) return { ok: false, problem };
  const content = { ...aboutOf(files), kind: 'funding' as const, columns };
  const hint = percentHint(columns.rate);
  const doubt = hint === null ? [] : [`Look at the unit: ${hint}.`];
  return { ok: true, value: { content, notes: [...repeatedNote(repeated), ...doubt] } };
}

function importTrades(files: Array<Of<'trades'>>, options: ImportOptions): FeedResult<Imported> {
  const parts = files
    .map(({ file, tape }) => ({ file, tape }))
    .toSorted((a, b) => a.tape.time[0]! - b.tape.time[0]!);
  for (const [index, { file, tape }] of parts.entries()) {
    const before = parts[index - 1];
    // Trades at the same instant in two files can't be distinguished from one trade in both.
    if (before === undefined || before.tape.time.at(-1)! < tape.time[0]!) continue;
    const what = `begins before ${basename(before.file)} ends.`;
    return fileFault(file, what, 'Files of trades follow each other: leave one out.');
  }
  const column = (name: 'time' | 'price' | 'size'): Float64Array => {
    const joined = new Float64Array(parts.reduce((rows, { tape }) => rows + tape.time.length, 0));
    let at = 0;
    for (const { tape } of parts) {
      joined.set(tape[name], at);
      at += tape[name].length;
    }
    return joined;
  };
  const tape = { time: column('time'), price: column('price'), size: column('size') };
  const to = options.interval ?? '1m';
  const made = tradesToBars(tape, { to, keepPartial: options.keepPartial });
  const content = { ...aboutOf(files), kind: 'bars' as const, interval: to, columns: made.columns };
  const count = `${counted(tape.time.length, 'trade')} made bars of ${to}.`;
  return { ok: true, value: { content, notes: [count, ...made.notes] } };
}

/** The origin of a cache, in the few words that fit its header. */
function aboutOf(files: readonly DataFile[]): { symbol: string; source: string } {
  const [first, last] = [files[0]!, files.at(-1)!];
  const more = files.length === 1 ? '' : ` … ${basename(last.file)}, ${files.length} files`;
  return { symbol: first.symbol!, source: `${basename(first.file)}${more} (${first.title})` };
}

function repeatedNote(repeated: number): string[] {
  return repeated === 0
    ? []
    : [`${counted(repeated, 'row')} in two files with equal values; each counts once.`];
}
