import type { BotConfig } from '../../config/index.ts';
import { shellWord } from '../../env/index.ts';
import { isPostgresUrl } from '../../journal/index.ts';

/** What names a bot on a command line, of its configuration. */
export interface CommandTarget {
  /** Its YAML. */
  file: string;
  link?: Pick<BotConfig['link'], 'kind'>;
  journalFlag?: string | undefined;
}

/**
 * A command about a bot as an operator can type it: with the journal that the bot was started with, which its file does
 * not name, and with `--live` for a start of a live bot.
 *
 * ```ts
 * const bot = { file: 'live.yaml', link: { kind: 'live' } } as const;
 * commandOf(bot, 'kill L3', '--reason TEXT'); // => 'trimtab kill L3 live.yaml --reason TEXT'
 * commandOf(bot, 'run'); // => 'trimtab run live.yaml --live'
 * ```
 */
export function commandOf(
  { file, link, journalFlag }: CommandTarget,
  command: string,
  ...rest: readonly string[]
): string {
  const words = ['trimtab', command, shellWord(file)];
  if (command === 'run' && link?.kind === 'live') words.push('--live');
  words.push(...rest);
  if (journalFlag !== undefined) words.push('--journal', journalWord(journalFlag));
  return words.join(' ');
}

/** A database's address holds a password, which no message may. */
const journalWord = (flag: string): string => (isPostgresUrl(flag) ? 'ADDRESS' : shellWord(flag));
