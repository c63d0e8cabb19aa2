// What a command has led to, in words: a level that is set does not mean that everything has ended.

/** The server's answer to a command. */
export interface CommandAnswer {
  /** Of a kill or a rearm, with why entries stay closed, and what has not ended; null if that is not known yet. */
  level?: string;
  gate?: readonly string[];
  not_ended?: readonly string[] | null;
  /** Of an intent that was settled. */
  state?: string;
  /** Of a strategy. */
  paused?: boolean;
}

export interface CommandOutcome {
  text: string;
  /** What is still open, a line each. */
  open: readonly string[];
  /** What somebody has to do now; empty if nothing. */
  todo: string;
}

const done = (text: string): CommandOutcome => ({ text, open: [], todo: '' });

export function outcomeOf(answer: CommandAnswer): CommandOutcome {
  const { level, state, paused } = answer;
  if (level !== undefined) return outcomeOfLevel(level, answer);
  if (state !== undefined) return done(`The intent is ${state}.`);
  return done(paused === true ? 'The strategy is paused.' : 'The strategy is resumed.');
}

function outcomeOfLevel(
  level: string,
  { gate = [], not_ended: left = null }: CommandAnswer,
): CommandOutcome {
  const at = `The bot is at ${level}.`;
  if (level === 'L0')
    return done(gate.length === 0 ? at : `${at} No entries yet: ${gate.join(', ')}.`);
  if (left === null) return { ...done(`${at} What has ended is not confirmed yet.`), todo: LOOK };
  if (left.length === 0) return done(at);
  const todo = level === 'L4' ? CUT : `${KEEPS} ${LOOK}`;
  return { text: `${at} It could not end or verify:`, open: left, todo };
}

const KEEPS = 'It keeps trying while the level is in force and the wire is not cut.';
const CUT = 'The wire is cut: it ends nothing more. End it on the service.';
const LOOK = 'Look at the service.';
