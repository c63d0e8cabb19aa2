import { Option } from 'commander';
import { loadConfig, type LoadedConfig } from '../config/index.ts';
import { configFailure } from './CommandFailure.ts';

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
