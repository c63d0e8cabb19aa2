import { NEVER } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

const ways: Readonly<Record<string, () => unknown>> = {
  exit: () => process.exit(0),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  throw: () =>
    queueMicrotask(() => {
      throw new Error('of its own accord');
    }),
  linger: () => void setInterval(() => {}, 1_000),
  live: () => {},
};

/** Misuses its thread: exits it, throws in it, blocks it. */
export default defineStrategy({
  name: 'ends-its-thread',
  contract: 1,
  description: 'Leaves its thread, throws in it, or keeps it.',
  scopes: ['trade'],
  params: z.object({ way: z.enum(['live', 'exit', 'kill', 'throw', 'linger']) }),
  setup: ({ params }) => {
    ways[params.way]!();
    return NEVER;
  },
});
