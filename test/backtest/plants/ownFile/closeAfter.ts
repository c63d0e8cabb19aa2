import { readFileSync } from 'node:fs';

const rows = readFileSync(new URL('closes.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const closes = rows.map((row) => row.split(',').map(Number));

/** The close that the file has next after a time. */
export const closeAfter = (time: number): number => closes.find(([at]) => at! > time)?.[1] ?? 0;
