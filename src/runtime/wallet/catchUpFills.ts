import { readWeight, type Budget } from '../../budget/index.ts';
import {
  fillRecord,
  page,
  type Exchange,
  type FillRecord,
  type ServiceRequest,
} from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { backoffMs, classify } from '../../outcomes/index.ts';

export interface CatchUpOptions {
  env: Pick<Env, 'timers' | 'random' | 'log'>;
  budget: Budget;
  plan: Pick<BotPlan, 'dialect'>;
  wallet: string;
  /** Market time until which all fills are known; nothing earlier is requested, except for the overlap. */
  since: number;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
  /** True once the fills are not needed any more. */
  isOver(): boolean;
}

/**
 * A list may lack what happened just before it was read, as a look-up may lack what was just placed: after this it is
 * read once more. As long as a look-up has, beyond a signature's window.
 */
export const LIST_LAG_MS = 35_000;

/** Fills may be stamped before the frame that reported them; what is read twice counts once. */
const OVERLAP_MS = 60_000;

const fillsPage = page(fillRecord);

/**
 * Reads the fills of an outage: a snapshot holds positions, not the fills that made them, and a ledger without
 * them would stay wrong. So it retries until it is answered.
 *
 * @returns oldest first; undefined if they are refused, or not needed any more
 */
export async function catchUpFills(options: CatchUpOptions): Promise<FillRecord[] | undefined> {
  const fills: FillRecord[] = [];
  let cursor: string | undefined;
  do {
    const next = await readPage(options, cursor);
    if (next === undefined) return undefined;
    fills.push(...next.items);
    cursor = next.next_cursor ?? undefined;
  } while (cursor !== undefined);
  // Those of one instant keep their order only if the list had it.
  if ((fills[0]?.time ?? 0) >= (fills.at(-1)?.time ?? 0)) fills.reverse();
  return fills.sort((a, b) => a.time - b.time);
}

async function readPage(options: CatchUpOptions, cursor: string | undefined) {
  const { env, budget, plan, wallet, since } = options;
  const query = {
    // Market time may hold a fraction; times on the wire are integers.
    start_time: Math.max(0, Math.floor(since) - OVERLAP_MS),
    limit: plan.dialect.limits.pageMax,
    ...(cursor === undefined ? {} : { cursor }),
  };
  const weight = readWeight(plan.dialect, { endpoint: 'orders.fills', query });
  for (let attempt = 1; !options.isOver(); attempt++) {
    if (budget.admit('lookup', weight).admitted) {
      budget.spend(weight, 'lookup');
      const request = {
        endpoint: 'orders.fills',
        pathParams: {},
        query,
        body: '',
        wallet,
      } as const;
      const exchange = await options.request(request);
      const isRead = exchange.kind === 'answered' && exchange.response.status === 200;
      const parsed = isRead ? fillsPage.safeParse(exchange.response.body) : undefined;
      if (parsed?.success === true) return parsed.data;
      const verdict = classify(exchange);
      if (verdict.kind === 'rejected' || verdict.kind === 'doubtful') {
        const { code } = verdict.fault;
        env.log.error('Fills can’t be read; the ledger may lack some', { wallet, code });
        return undefined;
      }
    }
    await new Promise<void>((resolve) => {
      env.timers.after(backoffMs(attempt, env.random), resolve);
    });
  }
  return undefined;
}
