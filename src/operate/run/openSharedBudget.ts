import { createSharedBudget, type SharedBudget } from '../../budget/index.ts';
import type { BotConfig, ServiceLinkConfig } from '../../config/index.ts';
import { reasonOf, type Env, withFullStop } from '../../env/index.ts';
import type { BotPlan } from '../../runtime/index.ts';
import { failed, type RunResult } from './RunFailure.ts';

export interface SharedBudgetParts {
  config: BotConfig;
  plan: BotPlan;
  env: Env;
  pid: number;
  /** Weight that it would cost to close everything that this process has open. */
  exitWeight(): number;
  /** Another key than the configuration's, and what the service grants it. */
  keyId?: string;
  limit?: number;
}

/** The budget that the processes of a key share, if the configuration names its database. */
export async function openSharedBudget(
  parts: SharedBudgetParts,
): Promise<RunResult<SharedBudget | undefined>> {
  const { config, plan, env, pid, exitWeight } = parts;
  const { baseUrl, keyId: first } = config.link as ServiceLinkConfig;
  const { keyId = first, limit = plan.budget.limit } = parts;
  if (config.budget.shared === null) return { ok: true, value: undefined };
  try {
    const { createPostgresLedger } = await import('../../budget/createPostgresLedger.ts');
    const ledger = await createPostgresLedger({
      url: config.budget.shared.reveal(),
      key: `${new URL(baseUrl).host}/${keyId}`,
      member: `${config.name}/${pid}/${env.random.next()}`,
    });
    const value = await createSharedBudget({
      ...plan.budget,
      limit,
      windowMs: plan.dialect.budget.windowMs,
      ledger,
      timers: env.timers,
      exitWeight,
      now: () => env.clock.monotonicNow(),
    });
    return { ok: true, value };
  } catch (error) {
    const remedy = 'Correct budget.shared, or set it to false where no other process uses the key.';
    return failed(
      'TRIMTAB_BUDGET_UNREACHABLE',
      `The shared budget can't be opened: ${withFullStop(reasonOf(error))}\n  ${remedy}`,
    );
  }
}
