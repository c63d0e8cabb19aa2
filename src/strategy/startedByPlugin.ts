import { dirname, isAbsolute } from 'node:path';
import { packageNameOf } from './PluginPackage.ts';

/** Operators start timers without a line of the plugin in the stack; nothing else here uses RxJS's own. */
const RXJS = /[/\\]node_modules[/\\]rxjs[/\\]/;

/** The first frame that is neither the machine's nor the observer's. */
function callerOf(stack: string): string | undefined {
  const frames = stack.split('\n').slice(1);
  return frames.find((frame) => !/\(node:|at node:|watchHostTimers/.test(frame));
}

/**
 * Whether a timer of the machine belongs to a plugin: started from its folder, or by an operator that was not
 * given `ctx.scheduler`. undefined: the stack shows the machine's frames only.
 *
 * @param uses plugins as configurations name them, paths absolute
 */
export function startedByPlugin(uses: readonly string[]): (stack: string) => boolean | undefined {
  const marks = uses.map((use) =>
    isAbsolute(use) ? dirname(use) : `/node_modules/${packageNameOf(use)}/`,
  );
  return (stack) => {
    const caller = callerOf(stack);
    if (caller === undefined) return undefined;
    return RXJS.test(caller) || marks.some((mark) => caller.includes(mark));
  };
}
