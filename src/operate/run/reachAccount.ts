import type { Dialect } from '../../contract/index.ts';
import { readEveryPage, type Client } from '../../wire/index.ts';
import type { PlannedStrategy } from '../../runtime/index.ts';
import type { StartReads } from './createStartReads.ts';
import { failed, type RunResult } from './RunFailure.ts';

export interface ReachOptions {
  client: Client;
  dialect: Dialect;
  reads: StartReads;
  strategies: readonly PlannedStrategy[];
}

/**
 * The first signed request of a start: a wrong address, key or wallet fails here and not at the first
 * order.
 */
export function reachAccount(options: ReachOptions): Promise<RunResult<void>> {
  const { client, dialect, reads, strategies } = options;
  return reads.toResult(async () => {
    const all = await readEveryPage(dialect.limits.pageMax, (query) =>
      reads.ask(() => client.connections.list({ query })),
    );
    const ids = all.map(({ id }) => id);
    return checkWallets(ids, strategies);
  });
}

function checkWallets(
  ids: readonly string[],
  strategies: readonly PlannedStrategy[],
): RunResult<void> {
  const unknown = strategies.find(({ wallet }) => !ids.includes(wallet));
  if (unknown === undefined) return { ok: true, value: undefined };
  const { name, wallet } = unknown;
  return failed(
    'TRIMTAB_WALLET_UNKNOWN',
    `Strategy ${name}: the key has no wallet ${wallet}; it has ${ids.join(', ')}.\n  Name one of them in strategies[].wallet.`,
  );
}
