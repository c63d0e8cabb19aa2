import type {
  Connect,
  Connection,
  ConnectionEvents,
  ConnectionOptions,
} from './SocketConnection.ts';

/** A connection beside the one in use, authenticated already: it can take over at once, or be dropped. */
export interface Candidate {
  /**
   * From now on its events go to the taker. `adopt` comes first, then what it received so far: a frame may lead
   * to a subscription on the new connection.
   *
   * @returns false if it was lost meanwhile
   */
  take(
    events: Pick<ConnectionEvents, 'onText' | 'onLost'>,
    adopt: (connection: Connection) => void,
  ): boolean;
  drop(): Promise<void>;
}

/** Opens a connection and retains what it receives until it is taken. Resolves with the reason if it is refused. */
export function openCandidate(
  connect: Connect,
  options: ConnectionOptions,
): Promise<Candidate | { lost: string }> {
  const { promise, resolve } = Promise.withResolvers<Candidate | { lost: string }>();
  const received: string[] = [];
  let taker: Pick<ConnectionEvents, 'onText' | 'onLost'> | null = null;
  let isLost = false;
  const candidate: Candidate = {
    take(events, adopt) {
      if (isLost) return false;
      taker = events;
      adopt(connection);
      received.splice(0).forEach((text) => events.onText(text));
      return true;
    },
    async drop() {
      isLost = true;
      await connection.close();
    },
  };
  const connection: Connection = connect(options, {
    onOpen: () => resolve(candidate),
    onText(text) {
      if (taker === null) received.push(text);
      else taker.onText(text);
    },
    onLost(reason, refusal) {
      isLost = true;
      resolve({ lost: reason });
      taker?.onLost(reason, refusal);
    },
  });
  return promise;
}
