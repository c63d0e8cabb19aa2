import type { Subscriber } from 'rxjs';
import type { BarTaker } from '../../env/index.ts';
import type { ClosedBar } from '../Bar.ts';
import { barCause } from '../causes.ts';
import type { Turns } from '../createTurns.ts';
import type { BarLiveness } from '../warmUp.ts';
import { stageOf } from './RowStage.ts';
import type { SubscribedRows } from './SubscribedRows.ts';

export interface TakeRowsOptions {
  rows: SubscribedRows;
  liveness: BarLiveness;
  turns: Turns;
}

/**
 * Takes the rows of one subscription of a plugin: each in a turn of its own, but for those of which its operators are
 * known to pass nothing on.
 */
export function takeRows(
  subscriber: Subscriber<ClosedBar>,
  { rows, liveness, turns }: TakeRowsOptions,
): BarTaker {
  const deliver = (bar: ClosedBar): void => subscriber.next(bar);
  const stage = stageOf(subscriber);
  stage?.attach(rows);
  /** The turns of the warm-up, and the first after it, are counted. */
  let isLive = false;
  return {
    takes: stage === undefined ? 'each' : undefined,
    next(bars, from, to) {
      if (stage === undefined || !isLive || turns.areShown) return from;
      return rows.begin(bars, from) && stage.isKnown() ? stage.next(from, to) : from;
    },
    take(bars, at) {
      if (stage !== undefined && rows.begin(bars, at)) rows.moveTo(at);
      const lively = liveness.ofRow();
      isLive = lively === 'live';
      turns.run(barCause, rows.toBar(bars, at), lively, deliver);
    },
    pass(_bars, from, to) {
      rows.moveTo(to - 1);
      liveness.pass(to - from);
    },
  };
}
