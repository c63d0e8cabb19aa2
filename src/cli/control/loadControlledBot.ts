import { Option } from 'commander';
import { loadConfig, type BotConfig, type LoadedConfig } from '../../config/index.ts';
import { CommandFailure, configFailure } from '../failures/CommandFailure.ts';

export interface ControlledBotFlags {
  journal?: string;
}

/** For the commands that reach a running bot by the files beside its journal. */
export const journalOfControlledBot = (): Option =>
  new Option('--journal <file>', 'where its journal is, where it was started with --journal');

/**
 * The configuration of a bot that receives a command. The bot's key is not needed: nothing is signed with
 * it, and the operator's terminal may lack the bot's environment.
 */
export async function loadControlledBot(
  path: string,
  flags: ControlledBotFlags,
): Promise<LoadedConfig> {
  const { journal } = flags;
  const overrides = journal === undefined ? {} : { journal };
  const loaded = await loadConfig(path, { allowLive: true, withKey: false, overrides });
  if (!loaded.ok) throw configFailure(loaded.faults);
  return loaded;
}

/** A run on the embedded paper service polls for no commands and records no pulse: nothing is known of it here. */
export function refuseEmbedded({ name, link }: BotConfig): void {
  if (link.kind !== 'paper') return;
  throw new CommandFailure(
    'TRIMTAB_EMBEDDED_PAPER',
    `${name} has its paper service in its own process: it takes no commands and records no status.\n` +
      '  Stop its process, or look at its page (operate.listen). A bot on `trimtab paper`, with link.kind\n' +
      '  paper_service, is controlled like a live one.',
  );
}
