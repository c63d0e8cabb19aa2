import type { StreamFault } from '../../streams/index.ts';

/** Which stream the service refuses, and why. */
export function describeRefused(fault: Extract<StreamFault, { kind: 'refused' }>): string {
  const { channel, params } = fault.subscription;
  const asked = Object.entries(params).map(([name, value]) => `${name} ${String(value)}`);
  return `The stream ${[channel, ...asked].join(' ')} is refused: ${fault.error.message}`;
}
