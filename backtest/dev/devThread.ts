import { openThreadSide } from '../../src/env/index.ts';
import { noteSlowImports } from '../../src/operate/run/index.ts';
import { createDevBench } from './createDevBench.ts';
import type { DevMessage, DevThreadData } from './DevMessage.ts';

/** The thread of `trimtab dev`: a backtest for each number that it receives, in their order. */
const side = openThreadSide();
const { settings, newest } = side.data as DevThreadData;
const bench = createDevBench(settings);
noteSlowImports((text) => void process.stderr.write(text));
let isEnded = false;
let current = 0;
const post = (message: DevMessage): void => {
  if (!isEnded) side.post(message);
};
let last: Promise<void> = Promise.resolve();

side.onEnd((reason, stack) => {
  // The frames name the plugin's line; whether other modules are whole can't be known.
  post({ kind: 'fault', run: current, text: stack ?? reason, endsThread: true });
  isEnded = true;
});
side.onMessage((message) => {
  const { run } = message as { run: number };
  const isStopped = (): boolean => Atomics.load(newest, 0) !== run;
  last = last.then(() => {
    current = run;
    return isStopped() ? post({ kind: 'aborted', run }) : bench.run(run, isStopped, post);
  });
});
