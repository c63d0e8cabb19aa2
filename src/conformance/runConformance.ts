import { requireFields } from '../contract/failures/requireFields.ts';
import { defaultDialect, type Dialect } from '../contract/index.ts';
import { createLiveEnv, reasonOf, type Env } from '../env/index.ts';
import type { Check, Claim, Needs, Verdict } from './Check.ts';
import { CHECKS } from './checks.ts';
import { CLAUSE_IDS, CLAUSES, type ClauseId } from './clauses.ts';
import { createStage, INTERRUPTED, type RunStage } from './createStage.ts';
import type { Finding } from './kit/Stage.ts';
import { silentPoints, type SilentPoint } from './kit/silentPoints.ts';

export interface ConformanceOptions {
  /** `https://…` without `/v1`. */
  baseUrl: string;
  /** Complete, path included. */
  wsUrl: string;
  keyId: string;
  secret: string;
  /** What the service is compared with; absent: the default. */
  dialect?: Dialect;
  /** Absent: this machine's. */
  env?: Pick<Env, 'clock' | 'timers' | 'random'>;
  /** GETs, subscriptions, one wrong signature, two timestamps out of the window; nothing that writes. */
  isReadOnly?: boolean;
  /** Absent: all. */
  only?: readonly ClauseId[];
  /** Receives each check when it is done. */
  onCheck?: (claim: Claim, verdict: Verdict) => void;
  /** Called when the run waits for budget. */
  onWait?: (seconds: number) => void;
  /** Ends the run before its end: what its checks have at work is ended, and the rest is inconclusive. */
  signal?: AbortSignal;
}

/** A check's verdict in the result. */
export type CheckResult = Verdict & { title: string; needs: Needs };

export interface ClauseResult {
  id: ClauseId;
  title: string;
  /** `differs` if any check differs, `holds` if all hold, else `inconclusive`. */
  result: Verdict['result'];
  checks: CheckResult[];
}

/** The finding at a point that the spec leaves open (DIAL-2). */
export interface SilentResult extends SilentPoint {
  result: 'as expected' | 'differs' | 'inconclusive';
  found: string;
}

/** The whole result, as `--json` writes it. */
export interface ConformanceResult {
  target: { base_url: string; paper: boolean; read_only: boolean };
  summary: Record<Verdict['result'], number>;
  clauses: ClauseResult[];
  silent: SilentResult[];
  /**
   * What the run leaves behind, a line each: what it could not end or put back, what filled, and requests without an
   * answer. Empty as a rule.
   */
  left: string[];
}

/**
 * Runs every check against a service, one after the other, and collects the verdicts by clause.
 *
 * ```ts
 * const { base_url: baseUrl, ws_url: wsUrl, key_id: keyId, secret } = paper;
 * const target = { baseUrl, wsUrl, keyId, secret };
 * const { summary } = await runConformance({ ...target, isReadOnly: true, only: ['AUTH-1'] });
 * summary.differs; // => 0
 * ```
 *
 * @throws TypeError for addresses that requests must not go to; Error if there is no answer
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceResult> {
  requireFields('runConformance', options, ['baseUrl', 'wsUrl', 'keyId', 'secret']);
  const { isReadOnly = false, only = CLAUSE_IDS } = options;
  const { dialect = defaultDialect, env = createLiveEnv() } = options;
  const stage = await createStage({ ...options, dialect, env, isReadOnly });
  try {
    const { found: verdicts, unrestored } = await quietly(stage, () =>
      runChecks(stage, only, options),
    );
    const clauses = CLAUSE_IDS.filter((id) => only.includes(id)).map((id) =>
      summarise(id, verdicts),
    );
    return {
      target: { base_url: options.baseUrl, paper: stage.isPaper, read_only: isReadOnly },
      summary: summaryOf(clauses),
      clauses,
      silent: silentResults(dialect, stage.findings),
      left: [...stage.left(), ...unrestored],
    };
  } finally {
    await stage.close();
  }
}

/**
 * Checks move the replay themselves, and need a service without injected faults: both are put back, and what could
 * not be is a line. A fault that ends by a count or a time begins anew.
 */
async function quietly<T>(
  stage: RunStage,
  run: () => Promise<T>,
): Promise<{ found: T; unrestored: string[] }> {
  if (!stage.isPaper || stage.isReadOnly) {
    const found = await run();
    await stage.clear();
    return { found, unrestored: [] };
  }
  const { paper } = stage;
  const { state, speed } = await paper.replay();
  const unrestored: string[] = [];
  const faults = await paper.faults().catch((error: unknown) => {
    unrestored.push(
      `Faults could not be read, and those that there were are gone: ${reasonOf(error)}`,
    );
    return [];
  });
  const restore = async (what: string, step: () => Promise<unknown>): Promise<void> => {
    await step().catch((error: unknown) => {
      unrestored.push(`${what} could not be put back: ${reasonOf(error)}`);
    });
  };
  try {
    await paper.speed(0);
    await paper.clearFaults().catch(() => null);
    return { found: await run(), unrestored };
  } finally {
    try {
      // No fault hits what ends the last check's work.
      await stage.clear();
    } finally {
      if (faults.length > 0) await restore('Faults', () => paper.addFaults(faults));
      if (state === 'running') await restore('The speed', () => paper.speed(speed));
    }
  }
}

async function runChecks(
  stage: RunStage,
  only: readonly ClauseId[],
  { onCheck, signal }: Pick<ConformanceOptions, 'onCheck' | 'signal'>,
): Promise<Map<Check, Verdict>> {
  const wanted = CHECKS.filter(({ clause }) => only.includes(clause));
  const ordered = [
    ...wanted.filter(({ last }) => last !== true),
    ...wanted.filter(({ last }) => last === true),
  ];
  const verdicts = new Map<Check, Verdict>();
  for (const check of ordered) {
    if (signal?.aborted === true) {
      verdicts.set(check, { result: 'inconclusive', why: INTERRUPTED });
      continue;
    }
    const verdict = skipReason(stage, check.needs) ?? (await decide(stage, check));
    verdicts.set(check, verdict);
    onCheck?.(check, verdict);
    await stage.clear();
  }
  return verdicts;
}

const MOST_TRIES = 3;

/** A tape that didn't produce what a check needs may produce it a little later. */
async function decide(stage: RunStage, check: Check): Promise<Verdict> {
  for (let tries = 1; ; tries++) {
    const verdict = await check.run(stage);
    const isOpen = verdict.result === 'inconclusive' && verdict.mayCome === true;
    if (!isOpen || tries === MOST_TRIES) return verdict;
    await stage.clear();
  }
}

function skipReason(stage: RunStage, needs: Needs): Verdict | null {
  if (needs !== 'read' && stage.isReadOnly) {
    return { result: 'inconclusive', why: 'It writes, and the run is read-only.' };
  }
  if (needs === 'paper' && !stage.isPaper) {
    return { result: 'inconclusive', why: 'It needs a replay that can be driven.' };
  }
  if (needs !== 'read' && stage.noTradingReason !== null) {
    return { result: 'inconclusive', why: stage.noTradingReason };
  }
  return null;
}

function summarise(id: ClauseId, verdicts: ReadonlyMap<Check, Verdict>): ClauseResult {
  const checks = [...verdicts]
    .filter(([{ clause }]) => clause === id)
    .map(([{ title, needs }, verdict]) => ({ title, needs, ...verdict }));
  const some = (result: Verdict['result']): boolean =>
    checks.some((check) => check.result === result);
  const result = some('differs')
    ? 'differs'
    : some('inconclusive') || checks.length === 0
      ? 'inconclusive'
      : 'holds';
  return { id, title: CLAUSES[id], result, checks };
}

function summaryOf(clauses: readonly ClauseResult[]): ConformanceResult['summary'] {
  const count = (result: Verdict['result']): number =>
    clauses.filter((clause) => clause.result === result).length;
  return { holds: count('holds'), differs: count('differs'), inconclusive: count('inconclusive') };
}

function silentResults(dialect: Dialect, findings: readonly Finding[]): SilentResult[] {
  return silentPoints(dialect).map((row) => {
    const here = findings.filter(({ point }) => point === row.point);
    const found = [...new Set(here.map(({ text }) => text))].join('; ');
    if (here.length === 0) return { ...row, result: 'inconclusive', found: 'not seen in this run' };
    const isAsExpected = here.every((finding) => finding.isAsExpected);
    return { ...row, result: isAsExpected ? 'as expected' : 'differs', found };
  });
}
