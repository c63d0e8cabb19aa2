import { formatProgress, formatProgressBar, shareDone } from './formatProgress.ts';
import type { ProgressState } from './ProgressState.ts';

export interface ProgressOptions {
  stream: { write(text: string): unknown; columns?: number };
  isTerminal: boolean;
  /** Monotonic milliseconds, for rate and time left. */
  now: () => number;
}

export interface Progress {
  /** Cheap to call for each bar: it writes only if the line changes. */
  update(state: ProgressState): void;
  /** Shows the last state once more and leaves the line. */
  finish(): void;
}

const REDRAW_MS = 100;
const DEFAULT_COLUMNS = 100;
const PLAIN_STEP = 0.1;
/** Clears the line that is being redrawn. */
export const CLEAR_LINE = '\r\u001B[2K';

/** A line that is redrawn on a terminal; elsewhere a plain line about every 10 %. */
export function createProgress(options: ProgressOptions): Progress {
  return options.isTerminal ? createRedrawn(options) : createPlain(options);
}

function createRedrawn({ stream, now }: ProgressOptions): Progress {
  const startedAt = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let last: ProgressState | null = null;
  const draw = (state: ProgressState) => {
    const columns = stream.columns ?? DEFAULT_COLUMNS;
    stream.write(CLEAR_LINE + formatProgressBar(state, now() - startedAt, columns));
  };
  return {
    update: (state) => {
      last = state;
      if (now() - drawnAt < REDRAW_MS) return;
      drawnAt = now();
      draw(state);
    },
    finish: () => {
      if (last === null) return;
      draw(last);
      stream.write('\n');
      last = null;
    },
  };
}

function createPlain({ stream, now }: ProgressOptions): Progress {
  const startedAt = now();
  let shown = -1;
  let last: ProgressState | null = null;
  const write = (state: ProgressState) => {
    shown = Math.floor(shareDone(state) / PLAIN_STEP + 1e-9);
    last = null;
    stream.write(`${formatProgress(state, now() - startedAt)}\n`);
  };
  return {
    update: (state) => {
      if (Math.floor(shareDone(state) / PLAIN_STEP + 1e-9) > shown) write(state);
      else last = state;
    },
    finish: () => {
      if (last !== null) write(last);
    },
  };
}
