import type { Delay, Refusal, LifeEvent } from '../../runtime/index.ts';
import type { ReportLiquidation } from '../report/ReportData.ts';
import { formatCount, formatTime, formatWhole } from './formatNumbers.ts';

/** What an operator should know beside the closing table; empty parts are left out. */
export interface Ends {
  /** Decisions in warm-up, which are never sent. */
  suppressed?: number;
  refusals: readonly Refusal[];
  /** What intents waited for. */
  delays?: readonly Delay[];
  /** Ends through a strategy's own fault, and restarts after them. */
  lives?: readonly LifeEvent[];
  /** Liquidations by the venue. */
  liquidations?: readonly ReportLiquidation[];
  /** Positions that are still open, each as a line. */
  positions?: readonly string[];
  /** The bot's orders and executions that keep working, each as a line. */
  working?: readonly string[];
  /** What the stop policy could not end or confirm, each as a line. */
  unended?: readonly string[];
  /** Intents that were sent and have no response, each as a line. */
  unknowns?: readonly string[];
  /** Exits that were never sent, each as a line. */
  waiting?: readonly string[];
}

const MOST_REFUSALS = 5;

/** Lines below the closing table: liquidations, refusals and waits by cause, warm-up, restarts, quarantines, what stays open. */
export function formatEnds(ends: Ends): string {
  const { suppressed = 0, refusals, delays = [], lives = [], positions = [], working = [] } = ends;
  const { unended = [], unknowns = [], waiting = [] } = ends;
  const lines = [
    ...(ends.liquidations ?? []).map(liquidationLine),
    ...refusals.slice(0, MOST_REFUSALS).map(toLine),
    ...more(refusals.length - MOST_REFUSALS),
    ...delays.map(({ cause, count }) => `waited, ${cause}: ${formatWhole(count)}`),
    ...(suppressed === 0 ? [] : [`decided in warm-up, not sent: ${formatWhole(suppressed)}`]),
    ...restartLines(lives),
    ...quarantineLines(lives),
    ...positions.map((position) => `open: ${position}`),
    ...working.map((work) => `working: ${work}`),
    ...unended.map((work) => `NOT ENDED: ${work}`),
    ...unknowns.map((intent) => `UNKNOWN: ${intent}`),
    ...waiting.map((intent) => `NOT SENT: ${intent}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function liquidationLine({ time, wallet, symbol }: ReportLiquidation): string {
  return `LIQUIDATED: ${symbol} on ${wallet}, ${formatTime(time)} UTC`;
}

function toLine({ cause, count, example }: Refusal): string {
  const words = example.startsWith(`${cause}: `) ? example.slice(cause.length + 2) : example;
  return `not accepted, ${cause}: ${formatWhole(count)} (${words})`;
}

/** A line for each strategy that was restarted: how often, and its last fault. */
function restartLines(lives: readonly LifeEvent[]): string[] {
  const names = new Set(lives.filter(({ state }) => state === 'restarted').map(nameOf));
  return [...names].map((name) => {
    const own = lives.filter((life) => nameOf(life) === name);
    const times = own.filter(({ state }) => state === 'restarted').length;
    const last = own.findLast((life) => life.state === 'quarantined');
    const why = last === undefined ? '' : ` (${last.fault.kind}: ${last.fault.reason})`;
    return `started again, ${name}: ${times}${why}`;
  });
}

/** A line for each quarantined strategy: in the table alone it looks like a quiet one. */
function quarantineLines(lives: readonly LifeEvent[]): string[] {
  const last = new Map(lives.map((life) => [nameOf(life), life]));
  return [...last.values()].flatMap((life) =>
    life.state === 'quarantined' && life.restartAt === undefined
      ? [`quarantined, ${nameOf(life)}: ${life.fault.kind}: ${life.fault.reason}`]
      : [],
  );
}

const nameOf = ({ instance }: LifeEvent): string => instance;

const more = (left: number): string[] =>
  left > 0 ? [`and ${formatCount(left, 'more cause')}`] : [];
