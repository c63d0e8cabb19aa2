import { randomBytes } from 'node:crypto';

/**
 * The name of what is being written until it is whole. A process id alone would not tell apart two containers that share a
 * disk, each of which has the same.
 */
export const partOf = (target: string): string =>
  `${target}.${randomBytes(8).toString('hex')}.part`;
