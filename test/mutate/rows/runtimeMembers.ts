/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const members = {
  station: 'runtime/members',
  rows: [
    [
      'followWallet.ts',
      'fills of before the start are counted and told',
      'if (snapshots.isEarlier(fill)) return;',
      '',
    ],
    [
      'followWallet.ts',
      'another wallet’s refused rows uncover a position',
      '      if (!source.isOf(fault.subscription)) return;\n',
      '',
    ],
    [
      'followWallet.ts',
      'rows that are asked for again uncover a position',
      ' || fault.isAskedAgain === true) return',
      ') return',
    ],
    [
      'followWallet.ts',
      'what fills during an outage has no stop',
      'largerOf(filled.of(id), book.order(id)?.filled_size)',
      'filled.of(id) ?? book.order(id)?.filled_size',
    ],
    [
      'followWallet.ts',
      'what ends during an outage has filled no more than was seen',
      '    for (const id of before.keys()) if (!now.has(id)) filled.forget(id);\n',
      '',
    ],
    [
      'followWallet.ts',
      'an order that a snapshot shows is on its way as well',
      '    for (const order of now.values()) seen(order.order_id, clientNameOf(order), order);\n',
      '',
    ],
    [
      'followWallet.ts',
      'funding of an outage is in no ledger',
      'ledger.funding(symbols[0]!, missed);',
      'void missed;',
    ],
    [
      'followWallet.ts',
      'funding of an outage is charged to the first of several',
      'ledger !== undefined && others.length === 0',
      'ledger !== undefined',
    ],
    [
      'createSupervisedHost.ts',
      'restarts are counted for ever',
      'restarts = restarts.filter((time) => time > now - restart.withinMs);',
      '',
    ],
    [
      'createSupervisedHost.ts',
      'one restart too many',
      'if (restarts.length >= restart.max) return undefined;',
      'if (restarts.length > restart.max) return undefined;',
    ],
    [
      'createSupervisedHost.ts',
      'restarts do not slow down',
      'restart.backoffMs * 2 ** restarts.length',
      'restart.backoffMs * 2 ** 0',
    ],
    [
      'createSupervisedHost.ts',
      'a stopped strategy restarts',
      '    stop() {\n      cancel();',
      '    stop() {',
    ],
    [
      'createSupervisedHost.ts',
      'the second life counts anew',
      'before.emitted + emitted, suppressed: before.suppressed + suppressed',
      'emitted, suppressed',
    ],
    [
      'createSupervisedHost.ts',
      'a version that replaces a waiting one waits, too',
      '      cancel();\n      resting = undefined;\n      if (state',
      '      cancel();\n      if (state',
    ],
    [
      'createSupervisedHost.ts',
      'a restart of the version before takes place after a replacement',
      '      const { state } = host.status;\n      cancel();',
      '      const { state } = host.status;',
    ],
    [
      'createSupervisedHost.ts',
      'a fault that cost an intent ends the strategy',
      "if (host.status.state === 'quarantined') rest(fault);",
      'rest(fault);',
    ],
  ],
} as const;
