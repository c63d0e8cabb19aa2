import type { PlannedStrategy } from '../BotPlan.ts';
import { actionOf, type AtWork } from '../wallet/index.ts';
import { STAGES, type Stage, type Stages } from './createStages.ts';
import {
  describeExecution,
  describeHolding,
  describeMonitor,
  describeOrder,
  describePosition,
} from './describeWork.ts';

/** A step of a strategy to another stage, as an operator asks for it. */
export interface StageStep {
  to: Stage;
  reason: string;
  /** Symbols whose open records go to the version that trades next. */
  handOver: readonly string[];
}

/** A step that was taken, and is journaled. */
export interface StageTaken {
  instance: string;
  from: Stage;
  to: Stage;
  reason: string;
  /** Symbols with something open, which the version that trades now has taken over. */
  handedOver: readonly string[];
}

export interface PromoteParts {
  strategies: readonly PlannedStrategy[];
  stages: Stages;
  workOf(wallet: string): AtWork;
  /** Why a wallet's book may not show all that is open: no snapshot yet, a lost stream; undefined if it does. */
  explainUnknown(wallet: string): string | undefined;
  /** Symbols of a wallet with a position, a record, or an intent without an answer. */
  exposedSymbols(wallet: string): readonly string[];
  /** Set if a recording is written, which holds one version of each strategy. */
  isRecording: boolean;
  /** The next version takes over: the same owner, by another plugin. */
  replace(instance: string): void;
  onTaken(taken: StageTaken): void;
}

/**
 * Makes the function that takes a strategy one stage up or down. The strategy's name owns positions, orders and
 * stops before and after: nothing on the service changes.
 *
 * @returns of the function: why the step can't be taken; undefined when it is taken and durable
 */
export function createPromote(parts: PromoteParts) {
  const { strategies, stages } = parts;
  return async (instance: string, step: StageStep): Promise<string | undefined> => {
    const planned = strategies.find(({ name }) => name === instance);
    if (planned === undefined)
      return `it has no strategy ${instance}; its strategies are ${strategies.map(({ name }) => name).join(', ')}`;
    const from = stages.of(instance);
    const refused = stepRefusal(planned, from, step.to);
    if (refused !== undefined) return refused;
    if (parts.isRecording)
      return '`record` is set, and a recording holds one version of a strategy; remove it first';
    const foreign = step.handOver.filter((symbol) => !planned.symbols.includes(symbol));
    if (foreign.length > 0) return `${foreign.join(', ')} is no symbol of ${instance}`;
    const unknown = isSwap(from, step.to) ? parts.explainUnknown(planned.wallet) : undefined;
    if (unknown !== undefined)
      return `what is open is not known yet: ${unknown}; wait until the bot has seen its account`;
    const open = isSwap(from, step.to) ? openOf(planned, parts) : new Map<string, string[]>();
    const unnamed = [...open.keys()].filter((symbol) => !step.handOver.includes(symbol));
    if (unnamed.length > 0) return describeOpen(open, unnamed);
    const { to, reason } = step;
    await stages.move(instance, to, {
      reason,
      onMoved() {
        parts.replace(instance);
        parts.onTaken({ instance, from, to, reason, handedOver: [...open.keys()] });
      },
    });
    return undefined;
  };
}

/** Whether another version trades after a step. */
export function isSwap(from: Stage, to: Stage): boolean {
  return (from === 'shadow') !== (to === 'shadow');
}

/** Why a strategy can't go from one stage to the other; undefined if it can. */
export function stepRefusal(
  { name, shadow }: Pick<PlannedStrategy, 'name'> & { shadow?: unknown },
  from: Stage,
  to: Stage,
): string | undefined {
  if (shadow === undefined)
    return `${name} has no new version; give it a \`shadow\` in the configuration`;
  if (from === to) return `${name} is at the stage ${from} already`;
  if (Math.abs(STAGES.indexOf(to) - STAGES.indexOf(from)) === 1) return undefined;
  return `${name} is at the stage ${from}, and a step goes to canary first`;
}

/** What is open on a strategy's symbols, a line each, by symbol. */
function openOf(
  { wallet, symbols }: PlannedStrategy,
  parts: Pick<PromoteParts, 'workOf' | 'exposedSymbols'>,
): Map<string, string[]> {
  const work = parts.workOf(wallet);
  const open = new Map<string, string[]>();
  for (const symbol of symbols) {
    const isOf = (record: Readonly<Record<string, unknown>> | { symbol?: unknown }): boolean =>
      record.symbol === symbol;
    const lines = [
      ...work.positions.filter(isOf).map(describePosition),
      ...(work.holdings ?? []).filter(isOf).map(describeHolding),
      ...work.orders.filter(isOf).map(describeOrder),
      ...work.executions.filter(isOf).map(describeExecution),
      ...work.monitors.filter((monitor) => isOf(actionOf(monitor))).map(describeMonitor),
    ];
    const isExposed = parts.exposedSymbols(wallet).includes(symbol);
    if (lines.length > 0 || isExposed) open.set(symbol, lines);
  }
  return open;
}

function describeOpen(open: ReadonlyMap<string, string[]>, unnamed: readonly string[]): string {
  const lines = unnamed.flatMap((symbol) => {
    const known = open.get(symbol) ?? [];
    return known.length === 0 ? [`${symbol}: an intent without its outcome`] : known;
  });
  return (
    `open are ${lines.join('; ')}. Hand them over by name, --hand-over ${[...open.keys()].join(',')}, ` +
    'or end them first'
  );
}
