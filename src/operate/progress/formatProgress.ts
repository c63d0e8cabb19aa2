import { formatDuration, formatMoney, formatTime, formatWhole } from './formatNumbers.ts';
import type { ProgressState } from './ProgressState.ts';

const BAR_CELLS = 20;
const FORESEEABLE_SHARE = 0.02;

export function shareDone({ barsDone, barsTotal }: ProgressState): number {
  return barsTotal === 0 ? 1 : Math.min(1, barsDone / barsTotal);
}

/** One line: bars, time in the replay, equity, running executions, budget, rate and time left. */
export function formatProgress(state: ProgressState, elapsedMs: number): string {
  return [
    `${formatPercent(shareDone(state))} ${formatWhole(state.barsDone)}/${formatWhole(state.barsTotal)} bars`,
    formatTime(state.marketTime),
    `equity ${formatMoney(state.equity)}`,
    `executions ${formatWhole(state.runningExecutions)}`,
    `budget ${formatWhole(state.budgetUsed)}/${formatWhole(state.budgetLimit)}`,
    ...pace(state, elapsedMs),
  ].join(' · ');
}

/** The same line behind a bar, cut to the terminal's width: a wrapped line can't be redrawn. */
export function formatProgressBar(
  state: ProgressState,
  elapsedMs: number,
  columns: number,
): string {
  const full = Math.round(shareDone(state) * BAR_CELLS);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_CELLS - full);
  return `${bar} ${formatProgress(state, elapsedMs)}`.slice(0, Math.max(0, columns - 1));
}

function formatPercent(share: number): string {
  return `${String(Math.floor(share * 100)).padStart(3)} %`;
}

function pace({ barsDone, barsTotal }: ProgressState, elapsedMs: number): string[] {
  if (elapsedMs <= 0 || barsDone <= 0) return [];
  const barsPerMs = barsDone / elapsedMs;
  const left = Math.max(0, barsTotal - barsDone) / barsPerMs;
  const rate = `${formatWhole(barsPerMs * 1_000)} bars/s`;
  // The first bars include the start-up, so their rate would predict hours.
  const isForeseeable = left > 0 && barsDone >= barsTotal * FORESEEABLE_SHARE;
  return isForeseeable ? [rate, `${formatDuration(left)} left`] : [rate];
}
