import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { createSqliteReader, type JournalReader, type KnownIntent } from '../../journal/index.ts';
import { reasonOf } from '../../env/index.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import { readJson, type JsonMap } from '../journal/readJson.ts';
import { wholeSince } from '../journal/wholeSince.ts';
import { barCloseOf, causeOfKey, contentOf, type ComparedIntent } from './ComparedIntent.ts';
import type { ShadowFiles } from './shadowFiles.ts';
import type { ShadowCourse } from './ShadowView.ts';

const PAGE = 1_000;
const REFUSED: readonly string[] = ['denied', 'rejected'];

const figures = z.object({
  fills: z.number(),
  realizedPnl: z.number(),
  unrealizedPnl: z.number(),
  fees: z.number(),
  funding: z.number(),
  netPnl: z.number(),
  maxDrawdown: z.number(),
  maxDrawdownShare: z.number(),
  capital: z.number(),
});

const viewSchema = z.object({
  instance: z.string(),
  use: z.string(),
  state: z.enum(['waiting', 'running', 'quarantined', 'ended']),
  reason: z.string().nullable(),
  since: z.number(),
  until: z.number(),
  capital: z.number(),
  shadow: figures.nullable(),
  live: figures.nullable(),
  sizeSteps: z.record(z.string(), z.number()),
  barMs: z.number(),
  curve: z.array(z.tuple([z.number(), z.number(), z.number()])),
  hash: z.string().nullable(),
});

/** What a shadow left beside its bot's journal, which may be running. */
export async function readCourse(
  live: JournalReader,
  files: ShadowFiles,
): Promise<RunResult<ShadowCourse>> {
  try {
    const view = viewSchema.parse(JSON.parse(readFileSync(files.figures, 'utf8')));
    const { instance, since } = view;
    const liveIntents = await intentsOf(live, instance, since);
    // The shadow's own journal is never compacted.
    const whole = (await wholeSince(live))?.market ?? 0;
    // Others of that instant may have left it.
    const intentsSince = whole > since ? Math.min(whole, view.until) + 1 : since;
    // A shadow that never began opened no journal.
    if (!existsSync(files.journal))
      return { ok: true, value: { ...view, intentsSince, liveIntents, shadowIntents: [] } };
    const reader = createSqliteReader(files.journal);
    try {
      const shadowIntents = await intentsOf(reader, instance, since);
      return { ok: true, value: { ...view, intentsSince, liveIntents, shadowIntents } };
    } finally {
      await reader.close();
    }
  } catch (error) {
    const message =
      `${files.figures}: what the shadow left can't be read: ${reasonOf(error)}\n` +
      '  Start the bot again: its shadow begins anew, and what stands there is set aside.';
    return failed('TRIMTAB_SHADOW_UNREADABLE', message);
  }
}

/** Intents of an instance upon events since a market time, oldest first. */
async function intentsOf(
  reader: JournalReader,
  instance: string,
  since: number,
): Promise<ComparedIntent[]> {
  const found: ComparedIntent[] = [];
  let cursor: string | null = null;
  do {
    const page = await reader.find({
      instance,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const known of page.items) {
      const intent = await toCompared(reader, known);
      if (intent !== undefined && intent.time >= since) found.push(intent);
    }
    // Newest first: what was decided before is older still.
    const oldest = page.items.at(-1);
    cursor = oldest !== undefined && marketTimeOf(oldest) < since ? null : page.next;
  } while (cursor !== null);
  return found.toReversed();
}

const marketTimeOf = ({ marketOpened, opened }: KnownIntent): number => marketOpened ?? opened;

async function toCompared(
  reader: JournalReader,
  known: KnownIntent,
): Promise<ComparedIntent | undefined> {
  const named = causeOfKey(known.decisionKey, known.instance);
  if (named === undefined) return undefined;
  const { intent = {} } = readJson(known.intent) as { intent?: object };
  const { kind, state: outcome, key } = known;
  const close = barCloseOf(named.cause);
  const isRefused = REFUSED.includes(outcome);
  // Each is a query: most are decided on bars, and not refused.
  const steps = close === undefined || isRefused ? await stepsOf(reader, key) : [];
  // Written only where it differs from the time of the decision.
  const { causeTime } = steps[0] ?? {};
  const time = close ?? (typeof causeTime === 'number' ? causeTime : marketTimeOf(known));
  const row = { ...named, time, kind, ...contentOf(intent), outcome };
  if (!isRefused) return row;
  const { guard, code, fault } = steps.at(-1) ?? {};
  const nested = (fault as { code?: unknown } | undefined)?.code;
  const by = [guard, code, nested].find((value) => typeof value === 'string');
  return by === undefined ? row : { ...row, refusedBy: by as string };
}

const stepsOf = async (reader: JournalReader, key: string): Promise<JsonMap[]> =>
  ((await reader.life(key))?.entries ?? []).map(({ data }) => readJson(data));
