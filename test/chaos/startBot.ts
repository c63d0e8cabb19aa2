import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ORDERS, type ChaosLine, type ChaosOrders } from './bot/ChaosOrders.ts';
import type { Boundary } from './boundaries.ts';
import { COMPILED } from './compiled.ts';

/** Name of the variable that holds another program than the sources: the same, joined into one file. */
export const BUNDLED = 'TRIMTAB_CHAOS_BUNDLED';
const MAIN = join(import.meta.dirname, 'bot/main.ts');

/** How one process of a bot ended. */
export type Ending =
  | { kind: 'killed'; boundary: Boundary | null }
  | { kind: 'done'; passages: Partial<Record<Boundary, number>> }
  /** It ended as requested. */
  | { kind: 'ended' }
  | { kind: 'failed'; reason: string };

export interface ChaosBot {
  child: ChildProcess;
  ending: Promise<Ending>;
}

/** One run of the chaos bot, in a separate process. */
export function startBot(
  orders: ChaosOrders,
  onLine: (line: ChaosLine) => void = () => {},
): ChaosBot {
  const child = spawn(process.execPath, [process.env[BUNDLED] ?? MAIN], {
    env: { ...process.env, ...COMPILED, [ORDERS]: JSON.stringify(orders) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(-4_000);
  });
  const lines: ChaosLine[] = [];
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as ChaosLine;
    lines.push(line);
    onLine(line);
  });
  const ending = once(child, 'close').then(([code, signal]): Ending => {
    const of = <K extends ChaosLine['kind']>(kind: K) =>
      lines.findLast((line): line is Extract<ChaosLine, { kind: K }> => line.kind === kind);
    if (signal === 'SIGKILL') return { kind: 'killed', boundary: of('dies')?.boundary ?? null };
    const failed = of('failed');
    if (failed !== undefined) return failed;
    const done = of('done');
    if (done !== undefined) return done;
    return code === 0 ? { kind: 'ended' } : { kind: 'failed', reason: `code ${code}: ${said}` };
  });
  return { child, ending };
}
