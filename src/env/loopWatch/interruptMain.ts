import type { Debugger } from 'node:inspector';
import { HOOKS, type LoopHooks } from './LoopWatch.ts';

/** A place in the code that blocks the thread, the innermost first. */
export interface BlockedFrame {
  url: string;
  /** The function's name; empty for one without. */
  call: string;
  /** From 1. */
  line: number;
  column: number;
}

/** Code that the engine can't interrupt, such as a synchronous child process, does not answer in this time. */
const ANSWER_MS = 3_000;

/**
 * Interrupts the main thread wherever it is, and calls a hook there.
 *
 * @param choose the hook for these frames; undefined for none
 * @returns the frames at which it was; undefined if it did not answer
 */
export async function interruptMain(
  choose: (frames: readonly BlockedFrame[]) => keyof LoopHooks | undefined,
): Promise<readonly BlockedFrame[] | undefined> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  const paused = Promise.withResolvers<readonly BlockedFrame[] | undefined>();
  const patience = setTimeout(() => paused.resolve(undefined), ANSWER_MS);
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    const frames = params.callFrames.map((frame) => toFrame(frame, urls));
    const hook = choose(frames);
    const goOn = (): void => session.post('Debugger.resume', () => paused.resolve(frames));
    const callFrameId = params.callFrames[0]?.callFrameId;
    if (hook === undefined || callFrameId === undefined) return goOn();
    const expression = `globalThis[${JSON.stringify(HOOKS)}]?.${hook}()`;
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true }, goOn);
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  const frames = await paused.promise;
  clearTimeout(patience);
  if (frames !== undefined)
    await new Promise<void>((resolve) => session.post('Debugger.disable', () => resolve()));
  session.disconnect();
  return frames;
}

function toFrame(
  { location, functionName }: Debugger.CallFrame,
  urls: ReadonlyMap<string, string>,
): BlockedFrame {
  const { scriptId, lineNumber, columnNumber = 0 } = location;
  const url = urls.get(scriptId) ?? '';
  return { url, call: functionName, line: lineNumber + 1, column: columnNumber + 1 };
}
