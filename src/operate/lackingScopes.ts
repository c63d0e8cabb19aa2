import type { Scope } from '../contract/index.ts';
import { ServiceFaultError, type Client } from '../wire/index.ts';

/** What no record has: the service checks the scope before it looks for the record, and nothing is changed. */
const NO_RECORD = 'trimtab-doctor-asks-for-nothing';

/** Which of `trade` and `algo` a client's key lacks, as the service answers (AUTH-4). */
export async function lackingScopes(client: Client): Promise<Scope[]> {
  const probes = {
    trade: () => client.orders.cancel({ id: NO_RECORD }),
    algo: () => client.executions.stop({ id: NO_RECORD }),
  };
  const lacking: Scope[] = [];
  for (const [scope, probe] of Object.entries(probes) as Array<[Scope, () => Promise<unknown>]>) {
    const error: unknown = await probe().catch((thrown: unknown) => thrown);
    if (error instanceof ServiceFaultError && error.code === 'insufficient_scope')
      lacking.push(scope);
  }
  return lacking;
}
