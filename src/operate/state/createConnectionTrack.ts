import type { LinkStatus } from '../../env/index.ts';
import type { ConnectionBlock } from './BotView.ts';

/** Follows the state of the stream's connection. */
export interface ConnectionTrack {
  follow(status: LinkStatus): void;
  block(): ConnectionBlock;
}

/** @param wallNow epoch milliseconds */
export function createConnectionTrack(wallNow: () => number): ConnectionTrack {
  let hasBeenOpen = false;
  let block: ConnectionBlock = {
    state: 'closed',
    reason: null,
    wall_since: wallNow(),
    reconnects: 0,
  };
  return {
    follow(status) {
      const { state } = status;
      const reason =
        state === 'lost' ? status.reason : state === 'connecting' ? block.reason : null;
      const reconnects = block.reconnects + (state === 'open' && hasBeenOpen ? 1 : 0);
      if (state === 'open') hasBeenOpen = true;
      block = { state, reason, wall_since: wallNow(), reconnects };
    },
    block: () => block,
  };
}
