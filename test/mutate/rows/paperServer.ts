/** Bugs of the paper service's sockets: who loses a stream, what a fault holds, how much is read. */
export const paperServer = {
  station: 'paper/server',
  rows: [
    [
      'state/openState.ts',
      'a snapshot comes before its log',
      '    const next = new StateLog(logPathOf(path, generation + 1), generation + 1);\n    try {\n      const head = { format: STATE_FORMAT, version: STATE_VERSION } as const;\n      const state = { ...head, generation: generation + 1, tape, venue, ...take() };\n      const prepared = prepareSnapshot(path, state);\n      syncDirectoryOf(path);\n      prepared.commit();\n',
      '    let next!: StateLog;\n    try {\n      const head = { format: STATE_FORMAT, version: STATE_VERSION } as const;\n      const state = { ...head, generation: generation + 1, tape, venue, ...take() };\n      const prepared = prepareSnapshot(path, state);\n      syncDirectoryOf(path);\n      prepared.commit();\n      next = new StateLog(logPathOf(path, generation + 1), generation + 1);\n',
    ],
    [
      'state/openState.ts',
      'a power cut may leave a snapshot without its name’s log',
      '      syncDirectoryOf(path);\n      prepared.commit();',
      '      prepared.commit();',
    ],
    [
      'state/openState.ts',
      'a power cut may take the log of the snapshot before',
      '    syncDirectoryOf(path);\n    rmSync(old',
      '    rmSync(old',
    ],
    [
      'state/openState.ts',
      'a log is removed before the snapshot after it is durable',
      '      syncDirectoryOf(path);\n      rmSync(',
      '      rmSync(',
    ],
    [
      'createStreams.ts',
      'the streams of every key end with one',
      'connection.grant.keyId === keyId',
      'true',
    ],
    [
      'createStreams.ts',
      'an event stream is cut for its silence',
      "  if (connection.grant.kind !== 'websocket') return;\n",
      '',
    ],
    [
      'createStreams.ts',
      'silence is measured from the last look',
      'connection.lastSeen + limits.serverIdleCloseMs',
      'env.clock.monotonicNow() + limits.serverIdleCloseMs',
    ],
    [
      'createSseConnection.ts',
      'a quiet event stream has no comments',
      "beat: () => write(': alive\\n\\n')",
      'beat: () => {}',
    ],
    [
      'createFaults.ts',
      'calls do not end a stall',
      "kind.startsWith('ws_') && kind !== 'ws_stall'",
      "kind.startsWith('ws_')",
    ],
    [
      'createFaultyPort.ts',
      'the first of two stalls to end ends both',
      '        if (stallGoesOn) return;\n',
      '',
    ],
    [
      'createFaultyPort.ts',
      'a stall holds frames without end',
      'held.push(run) > MOST_HELD',
      'held.push(run) > Infinity',
    ],
    [
      'listenPaper.ts',
      'a message of any length is read',
      '    maxPayload: dialect.limits.bodyBytes,\n',
      '',
    ],
    [
      'listenPaper.ts',
      'an offer of another protocol costs a request its body',
      'pathOf(request) === streamPath',
      'pathOf(request) !== undefined',
    ],
    [
      'listenPaper.ts',
      'a refusal is written into an answer that goes out',
      '    if (newest.get(socket)?.writableFinished === false) socket.destroy();\n    else answerBroken',
      '    answerBroken',
    ],
    [
      'answerBroken.ts',
      'a head that is too large has no request id',
      "code !== 'HPE_HEADER_OVERFLOW'",
      "code !== ''",
    ],
    [
      'listenPaper.ts',
      'Node answers an unknown expectation',
      "  server.on('checkExpectation', serve);\n",
      '',
    ],
    [
      'acceptUpgrade.ts',
      'a handshake that is not whole is answered without a request id',
      "  sockets.once('wsClientError', refuse);\n",
      '',
    ],
    [
      'acceptUpgrade.ts',
      'a skew does not reach the welcome of a socket',
      'env.clock.wallNow() + opened.skewMs',
      'env.clock.wallNow()',
    ],
  ],
} as const;
