import { InsufficientScopeError, type Client } from '../../wire/index.ts';
import { refusesKey } from '../refusesKey.ts';

/** What a read says about the key; `unclear`: nothing, as a timeout, an error of the service, or a 429. */
export type KeyStanding = 'accepted' | 'refused' | 'unclear';

/** Asks the service for something small, to see whether it accepts the key. */
export async function readKeyStanding(client: Client): Promise<KeyStanding> {
  try {
    await client.connections.list({ query: { limit: 1 } });
    return 'accepted';
  } catch (error) {
    // A scope is checked once the key has passed.
    if (error instanceof InsufficientScopeError) return 'accepted';
    return refusesKey(error) ? 'refused' : 'unclear';
  }
}
