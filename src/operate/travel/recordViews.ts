import type { RecordingWriter } from '../recording/index.ts';
import { createBotState, type BotStateOptions, type WholeView } from '../state/index.ts';

/** Changes between two whole views: as many rows as a reader goes through to reach an instant. */
const CHANGES_A_VIEW = 100;
/** Lines that a whole view begins with. */
const SHOWN_EVENTS = 200;

export interface ViewRecording {
  /** Records the view as of now, while the bot's journal is open. */
  write(): void;
  close(): void;
}

/**
 * Records what an operator could see of a bot, from before its start: at each instant at which bars closed. It follows
 * market time alone, so that a replay records the same.
 */
export function recordViews(
  options: Omit<BotStateOptions, 'onCandles'>,
  writer: Pick<RecordingWriter, 'writeView'>,
): ViewRecording {
  const { bot } = options;
  const state = createBotState({
    ...options,
    onCandles: {
      bar(symbol, { time, open, high, low, close }) {
        const intervalMs = bot.mark(symbol)?.intervalMs ?? 0;
        writer.writeView(['bar', symbol, intervalMs, [time, open, high, low, close]]);
      },
      fill: (symbol, fill) => writer.writeView(['fill', symbol, fill]),
      intent: (mark) => writer.writeView(['intent', mark]),
    },
  });
  let sequence = 0;
  let changes = Infinity;
  let isOver = false;

  function writeWhole(time: number): void {
    const events = state.events(SHOWN_EVENTS);
    const view: WholeView = { ...state.view(), time, control: false, events };
    ({ sequence } = view);
    changes = 0;
    writer.writeView(['view', view]);
  }

  function write(time: number): void {
    if (isOver) return;
    const news = changes >= CHANGES_A_VIEW ? undefined : state.since(sequence);
    if (news === undefined) return writeWhole(time);
    for (const change of news) {
      ({ sequence } = change);
      changes++;
      writer.writeView(['change', { ...change, time }]);
    }
  }

  // An instant is complete when the next begins: the market's time is that of the next already.
  bot.onInstant(write);
  return {
    write: () => write(options.now()),
    close() {
      isOver = true;
      state.close();
    },
  };
}
