// A view and what came after it.
import type { ViewChange, WholeView } from '../../state/BotView.ts';

/** Lines that the page shows. */
const SHOWN_LINES = 200;

/** The next view; undefined if something between them is missing, and the reader must begin anew. */
export function applyChange(view: WholeView, change: ViewChange): WholeView | undefined {
  if (change.sequence !== view.sequence + 1) return undefined;
  const { sequence, time, wall_time } = change;
  return {
    ...view,
    sequence,
    time,
    wall_time,
    blocks: { ...view.blocks, ...change.blocks },
    events: [...view.events, ...change.events].slice(-SHOWN_LINES),
  };
}
