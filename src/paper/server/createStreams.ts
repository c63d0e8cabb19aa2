import type { Dialect } from '../../contract/index.ts';
import type { Cancel, Env } from '../../env/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import type { Session } from '../core/Session.ts';
import type { StreamConnection } from './StreamConnection.ts';

/** All open streams of the service, and their heartbeat. */
export interface Streams {
  /**
   * Opens the session of a connection; undefined if its key is gone or a snapshot fails.
   *
   * @param wallTime the service's wall time, epoch milliseconds, with the skew that a fault gives it
   */
  open(connection: StreamConnection, wallTime: number): Session | undefined;
  /** The peer is gone. */
  drop(connection: StreamConnection): void;
  list(): Iterable<StreamConnection>;
  closeAll(code: number, reason: string): void;
  /** Closes the streams of a key that was revoked. */
  closeKey(keyId: string): void;
  relieve(): Promise<void> | null;
  stop(): void;
}

/**
 * Turns of the event loop that the replay waits for sockets to drain; after that it does not wait for a
 * slow one. A subscriber above its limit gets as many turns, because it had no turn to read what one
 * instant produced for it.
 */
const RELIEF_TURNS = 200;
/** A peer that reads nothing would keep its socket for as long as a close may take. */
const FAREWELL_MS = 1_500;

export function createStreams(options: {
  core: PaperCore;
  limits: Dialect['stream'];
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
}): Streams {
  const { core, limits, env } = options;
  const sessions = new Map<StreamConnection, Session>();
  /** Streams that were closed and whose peer is not gone yet. */
  const farewells = new Map<StreamConnection, Cancel>();
  let cancelBeat: Cancel = () => {};

  const beat = (): void => {
    for (const connection of sessions.keys()) connection.beat();
    cancelBeat = env.timers.after(limits.serverPingMs, beat);
  };
  cancelBeat = env.timers.after(limits.serverPingMs, beat);

  /** The next check of each WebSocket for a silent peer. An SSE stream is one-way: its peer says nothing. */
  const listening = new Map<StreamConnection, Cancel>();
  const listen = (connection: StreamConnection): void => {
    if (connection.grant.kind !== 'websocket') return;
    const due = connection.lastSeen + limits.serverIdleCloseMs;
    const wait = due - env.clock.monotonicNow();
    if (wait <= 0) return connection.cut();
    listening.set(
      connection,
      env.timers.after(wait, () => listen(connection)),
    );
  };
  const forget = (connection: StreamConnection): void => {
    listening.get(connection)?.();
    listening.delete(connection);
    sessions.get(connection)?.close();
    sessions.delete(connection);
  };

  /**
   * Streams that read nothing during a whole wait, with the count they had read: they are not waited for
   * again.
   */
  const stuck = new WeakMap<StreamConnection, number>();
  const isWaitedFor = (connection: StreamConnection): boolean =>
    connection.backlog.isHigh && stuck.get(connection) !== connection.backlog.left;
  const isCrowded = (): boolean => {
    for (const connection of sessions.keys()) if (isWaitedFor(connection)) return true;
    return false;
  };
  const turn = (): Promise<void> => new Promise((resolve) => env.timers.after(0, resolve));

  const close = (connection: StreamConnection, code: number, reason: string): void => {
    forget(connection);
    connection.port.close(code, reason);
    const cut = (): void => {
      farewells.delete(connection);
      connection.cut();
    };
    farewells.set(connection, env.timers.after(FAREWELL_MS, cut));
  };

  const watched = new WeakSet<StreamConnection>();
  const watch = async (connection: StreamConnection): Promise<void> => {
    if (watched.has(connection)) return;
    watched.add(connection);
    const isOver = (): boolean => sessions.has(connection) && connection.backlog.isOver;
    for (let turns = 0; turns < RELIEF_TURNS && isOver(); turns++) await turn();
    watched.delete(connection);
    if (isOver()) close(connection, limits.slowConsumerCode, 'slow consumer');
  };

  return {
    open(connection, wallTime) {
      const { grant, port } = connection;
      connection.backlog.onOver = () => void watch(connection);
      try {
        const session = core.openSession(grant, port, wallTime);
        if (session === undefined) return undefined;
        sessions.set(connection, session);
        listen(connection);
        return session;
      } catch (error) {
        env.log.error('A stream could not be opened', { error: String(error) });
        return undefined;
      }
    },
    drop(connection) {
      farewells.get(connection)?.();
      farewells.delete(connection);
      forget(connection);
    },
    list: () => sessions.keys(),
    closeAll(code, reason) {
      for (const connection of sessions.keys()) close(connection, code, reason);
    },
    closeKey(keyId) {
      for (const connection of sessions.keys()) {
        if (connection.grant.keyId === keyId) close(connection, 4001, 'key revoked');
      }
    },
    relieve() {
      if (!isCrowded()) return null;
      return (async () => {
        const before = [...sessions.keys()].map(({ backlog }) => [backlog, backlog.left] as const);
        for (let turns = 0; turns < RELIEF_TURNS && isCrowded(); turns++) await turn();
        const leftBefore = new Map(before);
        for (const connection of sessions.keys()) {
          const { backlog } = connection;
          const tookNothing = leftBefore.get(backlog) === backlog.left;
          if (backlog.isHigh && tookNothing) stuck.set(connection, backlog.left);
        }
      })();
    },
    stop() {
      cancelBeat();
      for (const cancel of [...farewells.values(), ...listening.values()]) cancel();
    },
  };
}
