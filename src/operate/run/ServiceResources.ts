import type { ReplaceableBudget } from '../../budget/index.ts';
import type { Cancel } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import { endAll, type Bot } from '../../runtime/index.ts';
import type { Listening } from '../control/index.ts';
import type { RecordingWriter } from '../recording/index.ts';
import type { Operator } from '../serve/index.ts';
import type { RunFailure } from './RunFailure.ts';
import type { Shadows } from '../shadow/index.ts';
import type { ViewRecording } from '../travel/index.ts';

/** What is open until a run ends, in whatever way. */
export interface ServiceResources {
  link: { close(): Promise<void> };
  /** Until the bot is open, which closes it when nothing more is written. */
  journal?: JournalStore | undefined;
  shared?: ReplaceableBudget;
  recording?: RecordingWriter;
  views?: ViewRecording;
  operator?: Operator;
  /** Until it is stopped in order. */
  bot?: Bot | undefined;
  commands?: Listening;
  shadows?: Shadows;
  /** Timers and listeners around the bot. */
  listening: Cancel[];
}

export function stopListening({ listening }: ServiceResources): void {
  listening.splice(0).forEach((end) => end());
}

/**
 * Each is ended, whatever another one throws: a connection that is left open would keep the process alive.
 *
 * @param failure why the run ends, unless it was stopped in order
 */
export function endResources(open: ServiceResources, failure?: RunFailure): Promise<void> {
  return endAll([
    () => stopListening(open),
    () => open.bot?.stop(),
    () => open.shadows?.close(),
    // After the bot, because its stop takes a while and a watchdog must not treat that as a hang.
    () => open.commands?.end('failed', failure),
    () => open.operator?.close(),
    () => open.views?.close(),
    () => open.recording?.close(),
    () => open.shared?.close(),
    () => open.journal?.close(),
    () => open.link.close(),
  ]);
}
