import type { FillRecord, StreamFrame } from '../../src/contract/index.ts';
import type { FaultPlan } from './createFaultPlan.ts';
import type { Simulation } from './Simulation.ts';

/** The frames of one session as a late service sends them, numbered without a gap. */
export type LateFrames = (frame: StreamFrame, headText: string) => void;

/** Another fee, as a venue states it once it knows a rebate. */
const OTHER_FEE = 0.8;

const isFill = ({ channel, event }: StreamFrame): boolean =>
  channel === 'account.state' && event === 'fill';

/** An algorithm's name as it might be shown. */
export const renamed = (algo: unknown): string => `${String(algo)}-plus`;

export function createLateFrames(
  parts: { sim: Simulation; faults: FaultPlan },
  emit: (frame: StreamFrame, headText: string) => void,
): LateFrames {
  const { sim, faults } = parts;
  const last = new Map<string, { seq: number; ts: number }>();

  /** In the order of sending: what was held has the number, and the time, of when it is sent. */
  function number(frame: StreamFrame, headText: string): void {
    const first = { seq: frame.seq - 1, ts: frame.ts };
    const before = frame.seq === 1 ? first : (last.get(headText) ?? first);
    const seq = before.seq + 1;
    const ts = Math.max(frame.ts, before.ts);
    last.set(headText, { seq, ts });
    emit({ ...frame, seq, ts }, headText);
  }

  /** A held frame belongs to the sequence that is open by then. */
  const later = (frame: StreamFrame, headText: string, delayMs: number): void =>
    sim.after(delayMs, () => number({ ...frame, seq: Number.NaN }, headText));

  function restate(frame: StreamFrame, headText: string, lateMs: number): void {
    const fault = faults.find('fill_restated');
    if (fault === undefined) return;
    const { fee } = frame.data as FillRecord;
    const data =
      fault.detail === 'fee' ? { ...(frame.data as object), fee: fee * OTHER_FEE } : frame.data;
    later({ ...frame, data }, headText, lateMs + fault.size);
  }

  return (given, headText) => {
    const frame = rename(given);
    if (!isFill(frame)) return number(frame, headText);
    const lateMs = faults.find('fill_late')?.size ?? 0;
    if (lateMs > 0) later(frame, headText, lateMs);
    else number(frame, headText);
    restate(frame, headText, lateMs);
  };

  function rename(frame: StreamFrame): StreamFrame {
    if (frame.channel !== 'executions' || faults.find('algo_renamed') === undefined) return frame;
    return { ...frame, data: renameIn(frame.data) };
  }
}

/** A record, a list of records or a page of them, each execution under its shown name. */
export function renameIn<T>(data: T): T {
  if (typeof data !== 'object' || data === null) return data;
  const { algo, executions, items } = data as Record<string, unknown>;
  return {
    ...data,
    ...(typeof algo === 'string' && { algo: renamed(algo) }),
    ...(Array.isArray(executions) && { executions: executions.map(renameIn) }),
    ...(Array.isArray(items) && { items: items.map(renameIn) }),
  };
}
