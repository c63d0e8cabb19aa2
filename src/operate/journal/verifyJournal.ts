import { createHash } from 'node:crypto';
import { counted, reasonOf } from '../../env/index.ts';
import {
  createSqliteReader,
  idempotencyKeyOf,
  isFinal,
  isLegalTransition,
  type IntentLife,
  type IntentState,
  type JournalReader,
} from '../../journal/index.ts';

export interface Verification {
  intents: number;
  steps: number;
  open: number;
  /** Compacted intents, of which only the keys remain. */
  retired: number;
  /** The first problems, as sentences. */
  problems: string[];
  /** Including those that are not listed. */
  problemCount: number;
  /** Whether there may be more: storage counts some only up to a limit, and damage stops reading. */
  isAtLeast: boolean;
  /** SHA-256 over all keys and the states that follow from their steps. */
  replayedHash: string;
  /** The same over the stored states; a difference means that the two disagree. */
  storedHash: string;
}

/** The most problems that are listed. */
const MOST_PROBLEMS = 50;

/**
 * Reads a whole journal and checks every intent: do its steps follow from each other, is its key that of
 * its decision, was anything sent before the guards evaluated it, and is the state to which the steps
 * lead the stored one?
 */
export async function verifyJournal(reader: JournalReader): Promise<Verification> {
  const problems: string[] = [];
  let problemCount = 0;
  let isAtLeast = false;
  const replayed = createHash('sha256');
  const stored = createHash('sha256');
  let intents = 0;
  let steps = 0;
  let open = 0;
  const note = (problem: string): void => {
    problemCount++;
    if (problems.length < MOST_PROBLEMS) problems.push(problem);
  };
  /** A part that can't be read at all is a problem as well, and the other parts are read. */
  const part = async (read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      isAtLeast = true;
      const [problem] = reasonOf(error).split('\n', 1);
      if (!problems.includes(problem!)) note(problem!);
    }
  };
  let retired = 0;
  await part(async () => {
    problems.push(...(await reader.problems()));
    problemCount = problems.length;
    isAtLeast = problemCount > 0;
  });
  await part(async () => {
    for await (const life of reader.lives()) {
      intents++;
      steps += life.entries.length;
      const { key, state } = life.intent;
      const last = verifyLife(life, note);
      if (!isFinal(state)) open++;
      replayed.update(`${key} ${last ?? 'nothing'}\n`);
      stored.update(`${key} ${state}\n`);
    }
  });
  await part(async () => void (retired = await reader.retired()));
  const replayedHash = replayed.digest('hex');
  const storedHash = stored.digest('hex');
  const counts = { intents, steps, open, retired, problemCount };
  return { ...counts, isAtLeast, problems, replayedHash, storedHash };
}

/** The same of a journal's file that nothing else uses. */
export async function verifyCopy(path: string): Promise<Verification> {
  const reader = createSqliteReader(path);
  try {
    return await verifyJournal(reader);
  } finally {
    await reader.close();
  }
}

/**
 * Checks one intent: do its steps follow from each other, and is its key that of its decision?
 *
 * @returns the state to which its steps lead
 */
export function verifyLife(
  { intent, entries }: IntentLife,
  note: (problem: string) => void,
): IntentState | undefined {
  const { key, decisionKey, generation, state } = intent;
  if (key !== idempotencyKeyOf(decisionKey, generation)) {
    note(`${key} is not the key of its decision ${decisionKey}`);
  }
  let last: IntentState | undefined;
  let isEvaluated = false;
  for (const entry of entries) {
    if (!isLegalTransition(last, entry.state)) {
      note(`${key}: ${last ?? 'nothing'} → ${entry.state} is not a valid transition of an intent`);
    }
    if (entry.state === 'guarded') isEvaluated = true;
    if (entry.state === 'sending' && !isEvaluated)
      note(`${key}: it was sent before the guards had passed it`);
    last = entry.state;
  }
  if (last !== state)
    note(`${key}: its steps end in ${last ?? 'nothing'}, but its row says ${state}`);
  return last;
}

/** `1 problem`, `60 problems`, `at least 60 problems`. */
export function countProblems({
  problemCount,
  isAtLeast,
}: Pick<Verification, 'problemCount' | 'isAtLeast'>): string {
  return `${isAtLeast ? 'at least ' : ''}${counted(problemCount, 'problem')}`;
}

export function formatVerification(found: Verification): string {
  const { intents, steps, open, retired, problems, problemCount, replayedHash, storedHash } = found;
  const least = found.isAtLeast ? 'at least ' : '';
  const shown = problemCount > problems.length ? `, the first ${problems.length} of them` : '';
  const isSame = replayedHash === storedHash;
  return [
    `intents   ${intents} (${open} open), and ${retired} compacted`,
    `steps     ${steps}`,
    `replayed  ${replayedHash}`,
    `stored    ${storedHash}${isSame ? ' (the same)' : ' (NOT the same)'}`,
    problems.length === 0 ? 'No problem found.' : `Problems: ${least}${problemCount}${shown}`,
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n');
}
