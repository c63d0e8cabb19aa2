import { CommandFailure } from '../failures/CommandFailure.ts';

/** Whether a flag, not the file, requests a recording. */
export function setsRecord(set: readonly string[] = []): boolean {
  return set.some((text) => /^record\s*=/.test(text));
}

/**
 * For commands that run many backtests: a recording would be ambiguous.
 *
 * @throws CommandFailure if a flag requests one
 */
export function refuseRecord(command: string, set: readonly string[] = []): void {
  if (!setsRecord(set)) return;
  throw new CommandFailure(
    'TRIMTAB_USAGE',
    `--set record=: ${command} runs many backtests and records none of them.\n` +
      '  Record one: trimtab backtest CONFIG --set record=FILE.',
  );
}
