// The only reader of time and randomness on the page.

export const browserPorts = {
  /** Epoch milliseconds of the reader's machine; only differences of it are used beside the bot's own times. */
  now: (): number => Date.now(),
  /** Calls back once, after milliseconds; returns a function that cancels. */
  after(ms: number, then: () => void): () => void {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  /** A secure context alone has `randomUUID`; an address in a private network may be none. */
  nonce(): string {
    if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  },
};

export type BrowserPorts = typeof browserPorts;
