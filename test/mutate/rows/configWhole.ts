/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const whole = {
  station: 'config',
  rows: [
    [
      'resolveBot.ts',
      'a stop has a tenth of its time',
      'settings.stop_seconds * 1_000',
      'settings.stop_seconds * 100',
    ],
    [
      'resolveBot.ts',
      'lost stops are never attached again',
      'protection: settings.protection,',
      "protection: 'off',",
    ],
    ['resolveBot.ts', 'the seed is lost', 'seed: settings.seed,', 'seed: 1,'],
    [
      'resolveBot.ts',
      'a snapshot is read beside the process',
      "['path', 'trades', 'book', 'snapshot'] as const",
      "['path', 'trades', 'book'] as const",
    ],
    [
      'resolveBot.ts',
      'trades are read beside the process',
      "['path', 'trades', 'book', 'snapshot'] as const",
      "['path', 'book', 'snapshot'] as const",
    ],
    [
      'resolveBot.ts',
      'the state is written beside the process',
      '{ state: resolve(directory, state) }',
      '{ state }',
    ],
    ['resolveBot.ts', 'the watchdog is lost', 'settings.watchdog ?? null', 'null'],
    [
      'resolveBot.ts',
      'a shadow has no parameters',
      '    params,\n    canary,',
      '    params: {},\n    canary,',
    ],
    [
      'resolveBudget.ts',
      'live bots of one database share no budget',
      "link.kind === 'live' || (",
      '(',
    ],
    [
      'resolveLink.ts',
      'one slash too few is removed',
      "link.base_url.replace(/\\/+$/, '')",
      "link.base_url.replace(/\\/$/, '')",
    ],
    [
      'resolveLink.ts',
      'a replay’s budget is counted in wall time',
      "link.kind === 'paper_service' ? link.budget_clock : 'wall'",
      "'wall'",
    ],
    [
      'resolveLink.ts',
      'a refused key is waited for as long as a start',
      'link.auth_retry_seconds',
      'link.start_retry_seconds',
    ],
    [
      'capitalShares.ts',
      'a rounding error of a sum is too much capital',
      'given(before) > 1 + TOLERANCE',
      'given(before) > 1',
    ],
    [
      'applyOverrides.ts',
      'a run on paper keeps the address of the service',
      "{ path: ['link'], flag: 'a run on paper', value: { kind: 'paper' } }",
      "{ path: ['link', 'kind'], flag: 'a run on paper', value: 'paper' }",
    ],
    [
      'applyOverrides.ts',
      'a list gets a hole',
      'key <= target.length)',
      'key <= target.length + 1)',
    ],
  ],
} as const;
