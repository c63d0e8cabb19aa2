import {
  resolveKey,
  type ApiKey,
  type BotConfig,
  type Environment,
  type ServiceLinkConfig,
} from '../../config/index.ts';
import { reasonOf } from '../../env/index.ts';
import { tradedWallets } from '../../runtime/index.ts';
import type { Client } from '../../wire/index.ts';
import { commandOf } from '../journal/commandOf.ts';
import { watchdogRefusal } from '../watchdogRefusal.ts';
import { bad, note, well, type Finding } from './Finding.ts';

export interface WatchdogOptions {
  config: BotConfig;
  environment: Environment;
  /** Calls the service with another key than the bot's. */
  withKey<T>(key: ApiKey, use: (client: Client) => Promise<T>): Promise<T>;
}

/** The watchdog's key: another than the bot's, with what it needs in an emergency (AUTH-4). */
export async function examineWatchdog(options: WatchdogOptions): Promise<Finding[]> {
  const { config, environment, withKey } = options;
  const { watchdog, link, directory } = config;
  if (watchdog === null) {
    const command = commandOf(config, 'watchdog');
    const text = 'nobody ends the entries of this bot if its main loop hangs';
    return [note('watchdog', text, `Add the section watchdog, and run: ${command}`)];
  }
  const { keyId } = link as ServiceLinkConfig;
  if (watchdog.key_id === keyId) return [sharesKey];
  const key = await resolveKey(watchdog, 'watchdog', { environment, directory });
  if ('findings' in key) {
    const text = `its key can't be examined here: ${key.findings[0]!.reason}`;
    return [note('watchdog', text, 'Run trimtab doctor where the watchdog runs, as its user.')];
  }
  if (key.keyId === keyId) return [sharesKey];
  try {
    const refusal = await withKey(key, (client) =>
      watchdogRefusal(client, tradedWallets(config.strategies)),
    );
    return refusal === undefined
      ? [well('watchdog', 'with a key of its own, with the scopes read, trade and algo')]
      : [bad('watchdog', `it ${refusal}`, GIVE)];
  } catch (error) {
    const text = `its key can't be examined: ${reasonOf(error)}`;
    return [note('watchdog', text, 'Run trimtab doctor again.')];
  }
}

const GIVE = 'Give its key the wallets, and the scopes read, trade and algo.';

const sharesKey: Finding = bad(
  'watchdog',
  'it has the key of the bot',
  'Make another key for it: a key that is refused would stop both.',
);
