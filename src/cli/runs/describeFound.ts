import type { TakeOver } from '../../runtime/index.ts';

/** What a start found open in a bot's wallets, in lines: each part of it, and what nobody need do anything about too. */
export function describeFound(name: string, { lines, holds, unheeded, former }: TakeOver): string {
  const found = lines.length === 0 ? ' nothing' : lines.map((line) => `\n  ${line}`).join('');
  return [
    `${name} found open:${found.trimEnd()}`,
    ...[...unheeded, ...former].map((text) => `${name}: ${text}`),
    ...holds.map((hold) => `${name} adds no exposure: ${hold}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
