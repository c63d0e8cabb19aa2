/**
 * Counts what is in flight, and holds back what comes while it is closed, so that a key can be replaced between
 * the last answer to the old one and the first request with the new one.
 */
export interface SendGate {
  /** Sends at once while it is open; otherwise once it opens. */
  pass<T>(send: () => Promise<T>): Promise<T>;
  close(): void;
  open(): void;
  /** Resolves when nothing is in flight; what waits at the gate does not count. */
  drained(): Promise<void>;
  readonly inFlight: number;
}

export function createSendGate(): SendGate {
  let opened: PromiseWithResolvers<void> | null = null;
  let inFlight = 0;
  let drained: PromiseWithResolvers<void> | null = null;

  const ended = (): void => {
    inFlight -= 1;
    if (inFlight > 0) return;
    drained?.resolve();
    drained = null;
  };
  /** The caller gets the promise itself: an answer is not delayed by being counted. */
  const start = <T>(send: () => Promise<T>): Promise<T> => {
    inFlight += 1;
    const answer = send();
    answer.then(ended, ended);
    return answer;
  };

  return {
    pass: (send) => (opened === null ? start(send) : opened.promise.then(() => start(send))),
    close: () => void (opened ??= Promise.withResolvers<void>()),
    open() {
      opened?.resolve();
      opened = null;
    },
    drained() {
      if (inFlight === 0) return Promise.resolve();
      drained ??= Promise.withResolvers<void>();
      return drained.promise;
    },
    get inFlight() {
      return inFlight;
    },
  };
}
