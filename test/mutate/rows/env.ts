export const env = {
  station: 'env',
  rows: [
    ['replaceFile.ts', 'others may read commands', '{ mode: 0o600 }', '{ mode: 0o644 }'],
    [
      'replaceFile.ts',
      'a reader may see half of a file',
      'const next = `${path}.new`;',
      'const next = path;',
    ],
    [
      'countUntil.ts',
      'an instant’s own time is after it',
      'if (times[middle]! <= instant)',
      'if (times[middle]! < instant)',
    ],
    [
      'createLiveMarketClock.ts',
      'what fell due while the machine was suspended runs as late as it slept',
      'Math.min(Math.max(0, time - now()), LONGEST_LOOK_MS)',
      'Math.max(0, time - now())',
    ],
    [
      'createLiveMarketClock.ts',
      'a wait that goes on can’t be cancelled',
      'return () => cancelTimer();',
      'return cancelTimer;',
    ],
    [
      'createLiveMarketClock.ts',
      'after the clock was set back a task runs before its time',
      '(time <= now() ? run() : wait())',
      'run()',
    ],
    [
      'withoutSecrets.ts',
      'a secret is hidden once in a text',
      'left.replaceAll(secret, SHOWN)',
      'left.replace(secret, SHOWN)',
    ],
    [
      'withoutSecrets.ts',
      'the second secret of a text is shown',
      'const OF_THE_SERVICE = /vs_[A-Za-z0-9_-]+/g;',
      'const OF_THE_SERVICE = /vs_[A-Za-z0-9_-]+/;',
    ],
    [
      'withoutSecrets.ts',
      'the password of an address is shown',
      'return [text, href, password, decode(password), ...path];',
      'return [text, href, ...path];',
    ],
    [
      'withoutSecrets.ts',
      'a secret of another configuration is shown',
      'return clean.replace(OF_THE_SERVICE, SHOWN);',
      'return clean;',
    ],
    [
      'inParts.ts',
      'a part of a wait is longer than the machine’s timers hold',
      'const LONGEST_WAIT_MS = 2_000_000_000;',
      'const LONGEST_WAIT_MS = 3_000_000_000;',
    ],
    [
      'inParts.ts',
      'only the first part of a wait can be cancelled',
      'return () => cancel();',
      'return cancel;',
    ],
  ],
} as const;
