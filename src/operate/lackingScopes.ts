import type { Scope } from '../contract/index.ts';
import { InsufficientScopeError, ServiceFaultError, type Client } from '../wire/index.ts';

/** What no record has: the service checks the scope before it looks for the record, and nothing is changed. */
const NO_RECORD = 'trimtab-doctor-asks-for-nothing';

/**
 * Which of `trade` and `algo` a client's key lacks, as the service answers (AUTH-4).
 *
 * @throws what is no answer to the question: a scope is there if the service missed the record, and not if nothing came
 */
export async function lackingScopes(client: Client): Promise<Scope[]> {
  const probes = {
    trade: () => client.orders.cancel({ id: NO_RECORD }),
    algo: () => client.executions.stop({ id: NO_RECORD }),
  };
  const lacking: Scope[] = [];
  for (const [scope, probe] of Object.entries(probes) as Array<[Scope, () => Promise<unknown>]>) {
    const error: unknown = await probe().catch((thrown: unknown) => thrown);
    if (error instanceof InsufficientScopeError) lacking.push(scope);
    else if (!hasPassed(error)) throw error;
  }
  return lacking;
}

const NO_ANSWER: readonly number[] = [401, 429];

/** The service looked for the record, or the request was answered. */
function hasPassed(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (!(error instanceof ServiceFaultError)) return false;
  return error.status < 500 && !NO_ANSWER.includes(error.status);
}
