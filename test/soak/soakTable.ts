import type { ProcessSample } from './sampleProcess.ts';

/** The state of both processes at the end of a quarter of a day. */
export interface SoakRow {
  days: number;
  bot: ProcessSample;
  paper: ProcessSample;
  journalBytes: number;
  lagSeconds: number;
  intents: number;
  fills: number;
  /** Unknown and unresolved intents. */
  unknown: number;
  reconnects: number;
  killLevel: number;
  /** That a reader of the page's events received. */
  events: number;
  scrapes: number;
  alerts: number;
  logLines: number;
}

type Column = readonly [name: string, width: number, text: (row: SoakRow) => string];

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
const COLUMNS: readonly Column[] = [
  ['day', 5, ({ days }) => days.toFixed(2)],
  ['bot MB', 7, ({ bot }) => megabytes(bot.rssBytes)],
  ['fds', 4, ({ bot }) => String(bot.descriptors)],
  ['threads', 8, ({ bot }) => String(bot.threads)],
  ['cpu s', 7, ({ bot }) => bot.processorSeconds.toFixed(1)],
  ['paper MB', 9, ({ paper }) => megabytes(paper.rssBytes)],
  ['fds', 4, ({ paper }) => String(paper.descriptors)],
  ['cpu s', 7, ({ paper }) => paper.processorSeconds.toFixed(1)],
  ['journal MB', 11, ({ journalBytes }) => (journalBytes / 1e6).toFixed(2)],
  ['lag ms', 7, ({ lagSeconds }) => (lagSeconds * 1_000).toFixed(1)],
  ['intents', 8, ({ intents }) => String(intents)],
  ['fills', 7, ({ fills }) => String(fills)],
  ['unknown', 8, ({ unknown }) => String(unknown)],
  ['reconn.', 8, ({ reconnects }) => String(reconnects)],
  ['level', 6, ({ killLevel }) => String(killLevel)],
  ['events', 8, ({ events }) => String(events)],
  ['scrapes', 8, ({ scrapes }) => String(scrapes)],
  ['alerts', 7, ({ alerts }) => String(alerts)],
  ['log', 7, ({ logLines }) => String(logLines)],
];

export const HEAD = COLUMNS.map(([name, width]) => name.padStart(width)).join('');

export function formatRow(row: SoakRow): string {
  return COLUMNS.map(([, width, text]) => text(row).padStart(width)).join('');
}

/** The heap settles after a day or two; what rises after that by more than a tenth is a leak. */
const SETTLED = 0.3;
const TOLERATED = 1.1;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** What grew between the first settled third of the rows and the last: a sentence each, none if all is flat. */
export function growth(rows: readonly SoakRow[]): string[] {
  const settled = rows.slice(Math.floor(rows.length * SETTLED));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const watched: ReadonlyArray<readonly [string, (row: SoakRow) => number]> = [
    ["the bot's memory", ({ bot }) => bot.rssBytes],
    ["the bot's descriptors", ({ bot }) => bot.descriptors],
    ["the bot's threads", ({ bot }) => bot.threads],
    ['unknown and unresolved intents', ({ unknown }) => unknown],
  ];
  return watched.flatMap(([name, read]) => {
    const before = median(settled.slice(0, third).map(read));
    const after = median(settled.slice(-third).map(read));
    const isFlat = after <= before * TOLERATED || after - before < 2;
    return isFlat ? [] : [`${name} went from ${before} to ${after}`];
  });
}
