import { BehaviorSubject, NEVER, Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { createMarks } from '../../../src/runtime/wallet/createMarks.ts';
import { createRefLog } from '../../../src/runtime/wallet/createRefLog.ts';
import { createSources } from '../../../src/runtime/members/createSources.ts';
import { execution } from '../../streams/records.ts';

/** A wallet on which something of each kind runs, and the streams of a strategy on it. */
function setUp(emitsExisting: boolean) {
  const known = {
    execution: execution('old'),
    monitor: { monitor_id: 'old' },
    row: { watch_kind: 'leg', leg_id: 'old' },
  };
  const parts = {
    executionsModel$: new BehaviorSubject(new Map([['old', known.execution]])),
    monitorsModel$: new BehaviorSubject(new Map([['old', known.monitor]])),
    watchModel$: new BehaviorSubject(new Map([['old', known.row]])),
    executions$: new Subject(),
    monitors$: new Subject(),
    watch$: new Subject(),
  };
  const sources = createSources({
    streams: { wallet: () => ({ account$: NEVER, ...parts }) } as never,
    market: { now: () => 60_000 } as never,
    timers: { after: () => () => {} },
    instruments: [],
    wallet: 'main',
    account$: NEVER,
    fills$: NEVER,
    outcomes$: NEVER,
    marks: createMarks(),
    refs: createRefLog(),
    onAsked: () => {},
    emitsExisting,
  });
  const seen: unknown[] = [];
  const note = ({ event }: { event: string }): void => void seen.push(event);
  sources.executions$.subscribe(note);
  sources.monitors$.subscribe(note);
  sources.watch$.subscribe(note);
  return { ...parts, known, seen };
}

test.each([false, true])(
  'what runs already comes first, as a snapshot, for an instance that is started again alone (%s)',
  (isAgain) => {
    const { executions$, monitors$, watch$, known, seen } = setUp(isAgain);
    expect(seen).toEqual(isAgain ? ['snapshot', 'snapshot', 'snapshot'] : []);
    const before = seen.length;
    executions$.next({ event: 'progress', execution: known.execution });
    monitors$.next({ event: 'fired', monitor: known.monitor });
    watch$.next({ event: 'leg_armed', row: known.row });
    expect(seen.slice(before)).toEqual(['progress', 'fired', 'leg_armed']);
  },
);
