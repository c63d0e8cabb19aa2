import type { StrategyFault } from '../../strategy/index.ts';

/** Where in the plugin's own file a stack points: `path:line:column`, or the file alone. */
function placeIn(file: string, stack: string | undefined): string {
  const frame = stack?.split('\n').find((line) => line.includes(file));
  const position = frame === undefined ? null : /:(\d+):(\d+)\)?$/.exec(frame.trim());
  return position === null ? file : `${file}:${position[1]}:${position[2]}`;
}

/** A strategy's fault as one message: its place in the plugin, what it did, whose instance it is. */
export function describeFault(fault: StrategyFault, file: string): string {
  const did = fault.kind === 'setup_failed' ? 'threw in setup' : fault.kind.replaceAll('_', ' ');
  return `${placeIn(file, fault.stack)}: strategy ${fault.instance} ${did}: ${fault.reason}`;
}
