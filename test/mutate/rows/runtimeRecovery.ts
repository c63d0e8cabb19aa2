/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const runtimeRecovery = {
  station: 'runtime/recovery',
  rows: [
    [
      'createLookUp.ts',
      'a launch is missing if the first page lacks it',
      "if (cursor === null) return { kind: 'missing' };",
      "return { kind: 'missing' };",
    ],
    [
      'createLookUp.ts',
      'a list of too many pages proves absence',
      "return { kind: 'unclear' };\n  }\n\n  return async",
      "return { kind: 'missing' };\n  }\n\n  return async",
    ],
    [
      'createLookUp.ts',
      'the second page is asked for as the first',
      '...(cursor === null ? {} : { cursor }) };',
      '...(cursor === null || count > 1 ? {} : { cursor }) };',
    ],
    [
      'createLookUp.ts',
      'a page that can’t be read proves absence',
      "if (found?.status !== 200) return { kind: 'unclear' };",
      "if (found?.status !== 200) return { kind: 'missing' };",
    ],
    [
      'recoverIntents.ts',
      'an entry is too late at exactly a minute',
      'now - marketTime <= ENTRY_FRESH_MS',
      'now - marketTime < ENTRY_FRESH_MS',
    ],
    [
      'recoverIntents.ts',
      'rows of what may have been sent are not counted',
      '        rows,\n        executions,',
      '        executions,',
    ],
    [
      'recoverIntents.ts',
      'what enlarges an order is forgotten by the next process',
      'entries: persisted.added ?? entries,',
      'entries,',
    ],
    [
      'wasOvertaken.ts',
      'a request in another wallet overtakes',
      'if (row.wallet !== emission.wallet) return false;',
      '',
    ],
    ['wasOvertaken.ts', 'what was refused overtakes', "row.state !== 'accepted' || ", ''],
    [
      'wasOvertaken.ts',
      'retiring the legs sets the stop only',
      'return LEGS.map((leg) => `${intent.symbol}/${leg}`);',
      'return [`${intent.symbol}/stop_loss`];',
    ],
    [
      'readPersisted.ts',
      'an unresolved intent is not reconciled again',
      'store.openIntents().map(',
      "store.openIntents().filter(({ state }) => state !== 'unresolved').map(",
    ],
    [
      'createSettle.ts',
      'what ended while the service was asked is settled',
      'const late = settlementRefusal(journal.stateOf(key), isRunning);\n      if',
      'const late = undefined as string | undefined;\n      if',
    ],
    [
      'recoverIntents.ts',
      'an unsent exit counts from its decision',
      'market.now() - persisted.leftAt <= RESEND_MS',
      'market.now() - persisted.emission.marketTime <= RESEND_MS',
    ],
    [
      'recoverIntents.ts',
      'an unsent exit is never too old',
      'return explainLateExit(persisted, options);',
      'return undefined;',
    ],
    [
      'recoverIntents.ts',
      'what an earlier process flattened by is sent by the next',
      "  flatten: 'a flattening',\n",
      '',
    ],
  ],
} as const;
