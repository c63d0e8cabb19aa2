/** Bugs planted in the parts that authors, services and their checks use, which no fast test had found: as a table's rows. */
export const service = {
  station: 'service',
  rows: [
    [
      'connectService.ts',
      'commands pass while a key is replaced',
      'gate.pass(() => socket.command(name, args, options))',
      'socket.command(name, args, options)',
    ],
    [
      'connectService.ts',
      'requests pass while a key is replaced',
      'gate.pass(() => http.request(request, options))',
      'http.request(request, options)',
    ],
    [
      'connectService.ts',
      'the check of the next key is signed with the one in use',
      'createHttpClient({ ...shared, signer: next })',
      'createHttpClient({ ...shared, signer })',
    ],
    [
      'connectService.ts',
      'the socket’s commands go to the key’s wallet',
      'clockOffset, wallet, ca });',
      'clockOffset, ca });',
    ],
    [
      'connectService.ts',
      'a private authority is unknown to the socket',
      'clockOffset, wallet, ca });',
      'clockOffset, wallet });',
    ],
    [
      'connectService.ts',
      'a refused stream teaches no time',
      'decode, clockOffset, wallet, ca });',
      'decode, wallet, ca });',
    ],
    [
      'connectService.ts',
      'signatures carry this machine’s time',
      'clock: env.clock, offsetMs });',
      'clock: env.clock });',
    ],
    [
      'createKeyChange.ts',
      'the key is replaced before the last answers to the old one',
      'await within(env.timers, gate.drained(), LONGEST_WAIT_MS);',
      'void within(env.timers, gate.drained(), LONGEST_WAIT_MS);',
    ],
    [
      'createKeyChange.ts',
      'one answer that is late holds every exit',
      'await within(env.timers, gate.drained(), LONGEST_WAIT_MS);',
      'await gate.drained();',
    ],
    [
      'createKeyChange.ts',
      'requests wait for ever after a change that was not recorded',
      '      } finally {\n        gate.open();',
      '      } finally {\n        if (gate.inFlight === 0) gate.open();',
    ],
    [
      'createKeyChange.ts',
      'a refused stream holds requests for ever',
      '      const stream = await socket.prepare(nextSigner);',
      '      gate.close();\n      const stream = await socket.prepare(nextSigner);',
    ],
    ['openService.ts', 'a carriage return is signed', '/[\\r\\n]/', '/\\n/'],
  ],
} as const;

export const wire = {
  station: 'wire',
  rows: [
    [
      'createSendGate.ts',
      'one request is in flight when the key is replaced',
      'if (inFlight > 0) return;',
      'if (inFlight > 1) return;',
    ],
    [
      'createSendGate.ts',
      'a request that failed is in flight for ever',
      'answer.then(ended, ended);',
      'answer.then(ended, () => {});',
    ],
    [
      'createSendGate.ts',
      'only the last of two who wait for the end is told of it',
      'drained ??= Promise',
      'drained = Promise',
    ],
  ],
} as const;

export const conformance = {
  station: 'conformance',
  rows: [
    [
      'algorithms.ts',
      'a Glidemaker that shows no order keeps its limit',
      'fills.length === 0 || orders.length > 0',
      'orders.length >= 0',
    ],
    [
      'algorithms.ts',
      'the orders of a Smart Exit only reduce, if it has any',
      "    that(orders.length > 0, 'orders of a Smart Exit', orders);\n",
      '',
    ],
    [
      'algorithms.ts',
      'a sweep that took nothing keeps its limit',
      "    if (fills.length === 0) throw new Inconclusive('The sweep found nothing in its range.', true);\n",
      '',
    ],
  ],
} as const;
