import { z } from 'zod';
import { readWeight, type Budget } from '../../budget/index.ts';
import {
  fillRecord,
  type Exchange,
  type FillRecord,
  type ServiceRequest,
} from '../../contract/index.ts';
import { nextCursor } from '../../contract/nextCursor.ts';
import { pauseUnless, type Env } from '../../env/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { backoffMs, classify, type Verdict } from '../../outcomes/index.ts';

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

/** So many attempts take some minutes. */
const WARN_EVERY = 20;

/** A proxy in between may give another's page now and then; what answers so again and again has no fills to give. */
const MOST_ODD = 20;

/** Each fill is checked by itself: one that can't be read must not hide the others. */
const fillsPage = z.looseObject({
  items: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
});
type FillsPage = z.infer<typeof fillsPage>;

/**
 * Reads the fills of an outage: a snapshot holds positions, not the fills that made them, and a ledger without
 * them would stay wrong. So it retries until it is answered.
 *
 * @returns oldest first; undefined if they are refused, or not needed any more
 */
export async function catchUpFills(options: CatchUpOptions): Promise<FillRecord[] | undefined> {
  const fills: FillRecord[] = [];
  const unread: z.ZodError[] = [];
  let cursor: string | undefined;
  do {
    const next = await readPage(options, cursor);
    if (next === undefined) return undefined;
    for (const item of next.items) {
      const read = fillRecord.safeParse(item);
      if (read.success) fills.push(read.data);
      else unread.push(read.error);
    }
    cursor = nextCursor(next);
  } while (cursor !== undefined);
  if (unread.length > 0) reportUnread(options, unread);
  // Those of one instant keep their order only if the list had it.
  if ((fills[0]?.time ?? 0) >= (fills.at(-1)?.time ?? 0)) fills.reverse();
  return fills.sort((a, b) => a.time - b.time);
}

function reportUnread({ env, wallet }: CatchUpOptions, unread: readonly z.ZodError[]): void {
  const field = unread[0]!.issues[0]!.path.join('.');
  const fields = { wallet, count: unread.length, field };
  env.log.error('Some fills can’t be read; the ledger lacks them', fields);
}

/** Asks until a page comes, which may be the last one, or the service refuses it. */
async function readPage(
  options: CatchUpOptions,
  cursor: string | undefined,
): Promise<FillsPage | undefined> {
  const { env, wallet } = options;
  let odd = 0;
  for (let attempt = 1; !options.isOver(); attempt++) {
    const answer = await askForPage(options, cursor);
    if (answer.kind === 'page') return answer.page;
    const { reason } = answer;
    if (answer.kind === 'odd') odd++;
    if (answer.kind === 'refused' || odd === MOST_ODD) {
      env.log.error('Fills can’t be read; the ledger may lack some', { wallet, code: reason });
      return undefined;
    }
    if (attempt % WARN_EVERY === 0) {
      env.log.warn('Fills can’t be read yet; the ledger may lack some', { wallet, reason });
    }
    await pauseUnless(env.timers, backoffMs(attempt, env.random), options.isOver);
  }
  return undefined;
}

type PageAnswer =
  | { kind: 'page'; page: FillsPage }
  /** `odd`: a success that is not the page that was asked for. */
  | { kind: 'refused' | 'odd' | 'again'; reason: string };

async function askForPage(
  options: CatchUpOptions,
  cursor: string | undefined,
): Promise<PageAnswer> {
  const { budget, plan, wallet, since } = options;
  const query = {
    // Market time may hold a fraction; times on the wire are integers.
    start_time: Math.max(0, Math.floor(since) - OVERLAP_MS),
    limit: plan.dialect.limits.pageMax,
    ...(cursor === undefined ? {} : { cursor }),
  };
  const weight = readWeight(plan.dialect, { endpoint: 'orders.fills', query });
  const admission = budget.admit('lookup', weight);
  if (!admission.admitted) return { kind: 'again', reason: admission.reason };
  budget.spend(weight, 'lookup');
  const request = { endpoint: 'orders.fills', pathParams: {}, query, body: '', wallet } as const;
  return toAnswer(classify(await options.request(request)), cursor);
}

function toAnswer(verdict: Verdict, asked: string | undefined): PageAnswer {
  switch (verdict.kind) {
    case 'accepted': {
      const page = fillsPage.safeParse(verdict.record);
      if (!page.success) return { kind: 'odd', reason: 'not_a_page' };
      // One that names itself as the next would be read without end.
      const isItsNext = asked !== undefined && nextCursor(page.data) === asked;
      if (isItsNext) return { kind: 'odd', reason: 'not_the_next_page' };
      return { kind: 'page', page: page.data };
    }
    case 'rejected':
    case 'doubtful':
      return { kind: 'refused', reason: verdict.fault.code };
    default:
      return { kind: 'again', reason: 'reason' in verdict ? verdict.reason : verdict.fault.code };
  }
}
