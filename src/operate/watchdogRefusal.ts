import { InsufficientScopeError, NotFoundError, type Client } from '../wire/index.ts';
import { reasonOf } from '../env/index.ts';
import { lackingScopes } from './lackingScopes.ts';
import { refusesKey } from './refusesKey.ts';

/**
 * A response of the service itself that the key can't read: a proxy's 403 or 404 proves nothing about the
 * key.
 */
const isRefused = (error: unknown): boolean =>
  refusesKey(error) || error instanceof InsufficientScopeError || error instanceof NotFoundError;

/**
 * Why a watchdog can't end a bot's entries in these wallets with its key (AUTH-4), as what follows "it"; undefined if it
 * can. A key that reads but does not trade would otherwise be discovered only in an emergency.
 *
 * @throws what is no answer to the question
 */
export async function watchdogRefusal(
  client: Client,
  wallets: readonly string[],
): Promise<string | undefined> {
  for (const wallet of wallets) {
    try {
      await client.orders.list({ query: { limit: 1 }, wallet });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return `can't read ${wallet}: ${reasonOf(error)}`;
    }
  }
  const lacking = await lackingScopes(client);
  return lacking.length === 0
    ? undefined
    : `can't end what is open: its key lacks ${lacking.join(' and ')}`;
}
