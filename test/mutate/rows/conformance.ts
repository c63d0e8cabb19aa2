/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const conformance = {
  station: 'conformance',
  rows: [
    [
      'createStage.ts',
      'what the key of the run has at work is left there',
      '      await work.end(cleaner);\n',
      '',
    ],
    [
      'createStage.ts',
      'monitors of a check go on',
      "  await quietly(actor.call('monitors.stopAll'));\n",
      '',
    ],
    [
      'createStage.ts',
      'an interrupted run ends nothing',
      'const cleaner = actorOf(own);',
      'const cleaner = me;',
    ],
    [
      'runConformance.ts',
      'faults are lost',
      'if (faults.length > 0) await restore(',
      'if (faults.length < 0) await restore(',
    ],
    [
      'kit/createOwnWork.ts',
      'silence is a refusal',
      'answer !== null && readRefusal(',
      'answer === null || readRefusal(',
    ],
    [
      'kit/createOwnWork.ts',
      'what filled is not told',
      'if (done !== undefined) final.add(done);',
      'if (done === undefined) final.add(done ?? id);',
    ],
  ],
} as const;
