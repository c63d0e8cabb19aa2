import type { BotConfig } from '../../config/index.ts';

/** Notes on stderr that a run on a tape leaves out the new versions beside its strategies. */
export function noteShadows({ strategies }: Pick<BotConfig, 'strategies'>): void {
  for (const { name, shadow } of strategies)
    if (shadow !== undefined)
      process.stderr.write(`${name}: its shadow is left out; this runs its \`use\` alone.\n`);
}
