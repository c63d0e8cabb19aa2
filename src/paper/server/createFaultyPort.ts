import type { StreamPort } from '../core/StreamPort.ts';
import type { FaultVictim, Faults } from './createFaults.ts';

/** A port through which faults reach a socket's frames: held by a stall, doubled, or swapped. */
export interface FaultyPort extends StreamPort {
  readonly victim: FaultVictim;
  readonly isStalled: boolean;
}

/** The most frames that a stall may hold; beyond it the socket is cut like a slow one. */
const MOST_HELD = 1_000;

/** @param cut breaks the connection without a close frame */
export function createFaultyPort(port: StreamPort, faults: Faults, cut: () => void): FaultyPort {
  const state = { stalled: false };
  let held: Array<() => void> = [];
  /** A frame that is held back until after the next one. */
  let swapped: (() => void) | null = null;

  const send = (run: () => void): void => {
    if (!state.stalled) run();
    else if (held.push(run) > MOST_HELD) cut();
  };
  const release = (): void => {
    const late = swapped;
    swapped = null;
    late?.();
  };

  return {
    get isStalled() {
      return state.stalled;
    },
    victim: {
      cut,
      stall: () => {
        state.stalled = true;
      },
      settle(stallGoesOn) {
        if (stallGoesOn) return;
        state.stalled = false;
        const runs = held;
        held = [];
        for (const run of runs) run();
        release();
      },
    },
    frame(frame, data, headText) {
      const run = (): void => port.frame(frame, data, headText);
      // The replay's own signal is not part of v1: it remains the last frame, once, after all others.
      const spared = frame.channel === '_meta' && frame.event === 'advanced';
      const fate = spared ? null : faults.planFrame();
      send(() => {
        if (fate === 'reorder' && swapped === null) {
          swapped = run;
          return;
        }
        if (spared) release();
        run();
        if (fate === 'duplicate') run();
        release();
      });
    },
    control: (message) => send(() => port.control(message)),
    close: (code, reason) => port.close(code, reason),
  };
}
