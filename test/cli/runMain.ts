import { vi } from 'vitest';
import { main } from '../../src/cli/main.ts';

/** Runs the command line in this process, as `trimtab ARGV…`: its exit code, and what it wrote. */
export async function runMain(...argv: string[]) {
  // A command that ends with a code leaves it on the process, where it would be the next one's.
  process.exitCode = undefined;
  const said = { out: '', err: '' };
  const take = (name: 'out' | 'err') => (text: unknown) => ((said[name] += String(text)), true);
  // Commands write their results to the process's own output.
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(take('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(take('err')),
  ];
  try {
    const code = await main(argv, { out: take('out'), err: take('err') });
    return { code, ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
