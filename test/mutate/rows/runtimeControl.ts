/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const runtimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'flatten.ts',
      'a flatten ends the first symbol only',
      'symbols.includes(symbol))\n    .map',
      'symbols[0] === symbol)\n    .map',
    ],
    [
      'flatten.ts',
      'a flatten sells no spot',
      'return [...positions, ...holdings.map(sellHolding)];',
      'return [...positions, ...holdings.slice(0, 0).map(sellHolding)];',
    ],
    [
      'stopPolicy.ts',
      'a stop leaves monitors armed',
      'return [...monitors, ...executions, ...orders];',
      'return [...executions, ...orders];',
    ],
    [
      'stopPolicy.ts',
      'a flatten leaves entries working',
      'return [...endEntries(work), ...flatten(work, symbols)];',
      'return flatten(work, symbols);',
    ],
    [
      'stopPolicy.ts',
      'a pause pauses what is paused already',
      ".filter(({ status }) => status === 'running')",
      ".filter(({ status }) => status !== 'interrupted')",
    ],
    [
      'workingOrders.ts',
      'an ended execution counts as working',
      '(execution) => LIVE.includes(execution.status) && isOne(execution)',
      '(execution) => isOne(execution)',
    ],
    [
      'workingOrders.ts',
      'an execution’s child orders count beside it',
      'order.execution_id == null && isOne(order)',
      'isOne(order)',
    ],
    [
      'createThrottle.ts',
      'the window of entries is new after a start',
      'entries.get(instance)?.spend(time, 1);\n      }',
      'void time;\n      }',
    ],
    [
      'createThrottle.ts',
      'the next process counts what came before a re-arm',
      'if (row.key === rearmedAfter) break;',
      '',
    ],
    [
      'createThrottle.ts',
      'an entry that was never sent counts twice after a restart',
      "if (row.state === 'denied' || isUnsent(row.state)) continue;",
      "if (row.state === 'denied') continue;",
    ],
    [
      'createThrottle.ts',
      'an entry exactly an hour old still counts after a restart',
      'if (first.marketTime <= since) break;',
      'if (first.marketTime < since - 1) break;',
    ],
    [
      'createThrottle.ts',
      'enlarging an order is forgotten by the next process',
      'return added.length > 0;',
      'return false;',
    ],
    [
      'createThrottle.ts',
      'a latch of the process before is not read',
      "latch?.value === 'on' ? [[instance, latch.reason]] : []",
      "latch?.value === 'off' ? [[instance, latch.reason]] : []",
    ],
    [
      'createThrottle.ts',
      'a re-arm leaves the count of entries',
      'async rearm(reason) {\n      fresh();',
      'async rearm(reason) {',
    ],
    [
      'createPauses.ts',
      'a pause ends with its process',
      "if (latch?.value !== 'on') continue;",
      'continue;',
    ],
    [
      'createPauses.ts',
      'a resume is not durable',
      "await write(instance, 'off', reason);",
      "await write(instance, 'on', reason);",
    ],
    [
      'createKillSwitch.ts',
      'a re-arm is forgotten by the next process',
      'await write(next);\n      if (thrown === before) return enter(next);',
      'if (thrown === before) return enter(next);',
    ],
    [
      'createKillSwitch.ts',
      'a kill level ends with its process',
      'durable = persisted;\n    enter(persisted);',
      'durable = persisted;',
    ],
  ],
} as const;
