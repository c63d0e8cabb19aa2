/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const links = {
  station: 'runtime/links',
  rows: [
    [
      'createFrameClock.ts',
      'once a connection was lost, tasks are late for ever',
      '      hasLost = false;\n',
      '',
    ],
    [
      'createFrameClock.ts',
      'what is asked for too late is late itself',
      'const due = Math.max(time, queue.now());',
      'const due = time;',
    ],
    [
      'createFrameClock.ts',
      'a frame that waited ten seconds has waited too long',
      'hasLost || present() - ts > LATE_MS',
      'hasLost || present() - ts >= LATE_MS',
    ],
    [
      'createFrameClock.ts',
      'of a clock that goes on, what is asked for too late is late itself',
      'const due = Math.max(time, clock.now());',
      'const due = time;',
    ],
  ],
} as const;

export const wallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'createDayLoss.ts',
      'what reached a lower limit hides that a higher one is reached',
      '(dayStart.lost ?? 0) >= limit',
      'dayStart.lost !== undefined',
    ],
  ],
} as const;
