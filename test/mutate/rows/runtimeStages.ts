/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const control = {
  station: 'runtime/control',
  rows: [
    [
      'promote.ts',
      'only the first symbol has to be handed over',
      'for (const symbol of symbols) {',
      'for (const symbol of symbols.slice(0, 1)) {',
    ],
    [
      'promote.ts',
      'an intent without an answer is nothing open',
      'if (lines.length > 0 || isExposed)',
      'if (lines.length > 0)',
    ],
    [
      'promote.ts',
      'a foreign symbol may be handed over',
      "if (foreign.length > 0) return `${foreign.join(', ')} is no symbol of ${instance}`;",
      '',
    ],
    [
      'promote.ts',
      'one symbol named is enough',
      'if (unnamed.length > 0)',
      'if (unnamed.length === open.size && open.size > 0)',
    ],
    [
      'promote.ts',
      'a step from canary to live asks for a hand-over',
      "(from === 'shadow') !== (to === 'shadow')",
      'from !== to',
    ],
    [
      'promote.ts',
      'a step may leave out canary',
      'Math.abs(STAGES.indexOf(to) - STAGES.indexOf(from)) === 1',
      'Math.abs(STAGES.indexOf(to) - STAGES.indexOf(from)) >= 1',
    ],
    [
      'promote.ts',
      'a step back is refused',
      'Math.abs(STAGES.indexOf(to) - STAGES.indexOf(from)) === 1',
      'STAGES.indexOf(to) - STAGES.indexOf(from) === 1',
    ],
    [
      'promote.ts',
      'monitors of a symbol are nothing open',
      '...work.monitors.filter((monitor) => isOf(actionOf(monitor))).map(describeMonitor),',
      '',
    ],
    [
      'promote.ts',
      'a recording goes on with two versions',
      'if (parts.isRecording)',
      'if (parts.isRecording && step.handOver.length < 0)',
    ],
    [
      'createStages.ts',
      'a stage of another version goes on',
      'if (row === undefined || !isVersion(row.version, shadow)) continue;',
      'if (row === undefined) continue;',
    ],
    [
      'createStages.ts',
      'a stage is applied before it is durable',
      'return written instanceof Promise ? written.then(apply) : apply();',
      'apply();\n      return written;',
    ],
    [
      'createStages.ts',
      'canary has all of the capital',
      "stage === 'canary' ? capitalShare * canary : capitalShare",
      'capitalShare',
    ],
    [
      'createStages.ts',
      'live has the capital of canary',
      "stage === 'canary' ? capitalShare * canary : capitalShare",
      'capitalShare * canary',
    ],
    [
      'createStages.ts',
      'the version of a name with a space is cut',
      'latch.value.slice(at + 1)]',
      "latch.value.slice(at + 1).split(' ')[0]!]",
    ],
    [
      'createStages.ts',
      'a promoted version has the parameters of the former',
      '    params: accepted,\n',
      '',
    ],
    [
      'createStages.ts',
      'a version of another folder has the bot’s',
      "path.startsWith('../') ? path : `./${path}`",
      "`./${path.replaceAll('../', '')}`",
    ],
  ],
} as const;
