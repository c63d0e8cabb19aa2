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
  const unclear: Error[] = [];
  for (const wallet of wallets) {
    try {
      await client.orders.list({ query: { limit: 1 }, wallet });
    } catch (error) {
      const reason = `can't read ${wallet}: ${reasonOf(error)}`;
      if (isRefused(error)) return reason;
      unclear.push(new Error(reason, { cause: error }));
    }
  }
  // What one wallet leaves open, another or the scopes may decide.
  const lacking = await lackingScopes(client);
  if (lacking.length > 0) return `can't end what is open: its key lacks ${lacking.join(' and ')}`;
  if (unclear.length > 0) throw unclear[0]!;
  return undefined;
}
