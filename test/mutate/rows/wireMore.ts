/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const wire = {
  station: 'wire',
  rows: [
    [
      'openCandidate.ts',
      'a connection that is lost already takes over',
      '      isLost = true;\n      resolve(',
      '      resolve(',
    ],
    [
      'createTransport.ts',
      'an order waits behind reads that hang',
      "method === 'GET' ? reads : writes",
      'reads',
    ],
    ['createTransport.ts', 'one read at a time', 'connections = 16', 'connections = 1'],
    [
      'createTransport.ts',
      'the orders’ connections stay open',
      '[reads.destroy(), writes.destroy()]',
      '[reads.destroy()]',
    ],
    [
      'createSocket.ts',
      'a reconnect counts from its last attempt',
      'this.#lostAt ??= clock.monotonicNow();',
      'this.#lostAt = clock.monotonicNow();',
    ],
    [
      'createHttpClient.ts',
      'a cache’s old time is learned',
      "  if ('age' in headers) return;\n",
      '',
    ],
    [
      'createHttpClient.ts',
      'the exact time is not learned',
      '    clockOffset.learn({ serverTime: exact, resolutionMs: 1, sentAt, receivedAt });\n',
      '',
    ],
    [
      'SocketConnection.ts',
      'a server’s ping is silence',
      "    socket.on('ping', () => this.#hear());\n",
      '',
    ],
    [
      'createEventStream.ts',
      'an event without an end fills the memory',
      "      if (charsSinceEvent > MAX_EVENT_CHARS) lose('frame_too_large');\n      else if (status",
      '      if (status',
    ],
    [
      'createClockOffset.ts',
      'an answer of before its request counts',
      '|| receivedAt < sentAt) return;',
      ') return;',
    ],
    [
      'createClockOffset.ts',
      'a clock that was stepped is never learned',
      'if (isEmpty(intersect(samples))) samples = [newest];',
      '',
    ],
    [
      'createClockOffset.ts',
      'the resolution of a header is none',
      'high: serverTime + resolutionMs - sentAt',
      'high: serverTime + 0 * resolutionMs - sentAt',
    ],
    [
      'createClockOffset.ts',
      'an old reading counts for ever',
      'samples.slice(1 - MOST_SAMPLES)',
      'samples',
    ],
    [
      'createClockOffset.ts',
      'a clock that agrees is corrected',
      'low <= 0 && high >= 0 ? 0 :',
      'low > high ? 0 :',
    ],
    [
      'requireSendable.ts',
      'a hole in a list is sent as null',
      'if (item === undefined) {',
      'if (item === undefined && index in value) {',
    ],
    [
      'requireSendable.ts',
      'only the first field is looked at',
      'for (const [name, item] of Object.entries(value)) check',
      'for (const [name, item] of Object.entries(value).slice(0, 1)) check',
    ],
    [
      'requireSendable.ts',
      'minus infinity is sent',
      'if (Number.isFinite(value)) return;',
      'if (Number.isFinite(value) || value === -Infinity) return;',
    ],
    [
      'requireSendable.ts',
      'a value that is there twice contains itself',
      'const within = [...above, value];',
      '(above as object[]).push(value);\n  const within = above;',
    ],
  ],
} as const;
