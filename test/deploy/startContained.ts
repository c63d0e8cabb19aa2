import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { asOtherUser, asRoot } from './asOtherUser.ts';

/** A program that runs as a container's does: another user's, without rights, with the process id 1. */
export interface Contained {
  /** Everything that it wrote so far. */
  text(): string;
  /** Sends it a signal from outside. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /** Its exit code. */
  ended: Promise<number | null>;
  /** Runs a command beside it, as `docker exec` does. */
  exec(...command: string[]): Promise<number | null>;
}

interface Options {
  cwd: string;
  env: Record<string, string>;
}

const started = new Set<Contained>();

/** Ends what a failed test has left running. */
export function endContained(): void {
  for (const contained of started) contained.signal('SIGKILL');
}

/** @param command the program with its arguments */
export function startContained(command: readonly string[], { cwd, env }: Options): Contained {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // A clean environment, as in a container.
  const clean = ['env', '--ignore-environment', ...variables];
  const flags = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  const child = start(asRoot('unshare', ...flags, ...clean, ...asOtherUser(...command)), cwd);
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const pid = (): string => innermostOf(child.pid!);
  const contained: Contained = {
    text: () => text,
    // Signals are sent as root: the process is another user's.
    signal: (name) => void start(asRoot('kill', `--signal=${name}`, pid()), cwd),
    ended: once(child, 'close').then(([code]) => code as number | null),
    async exec(...beside) {
      const enter = ['nsenter', `--target=${pid()}`, '--pid', '--mount', `--wdns=${cwd}`];
      const other = start(asRoot(...enter, ...clean, ...asOtherUser(...beside)), cwd);
      const [code] = (await once(other, 'close')) as [number | null];
      return code;
    },
  };
  started.add(contained);
  void contained.ended.then(() => started.delete(contained));
  return contained;
}

function start([file, ...args]: string[], cwd: string): ChildProcess {
  return spawn(file!, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The last of a chain of processes with one child each: sudo, unshare, the program. */
function innermostOf(pid: number): string {
  let last = String(pid);
  for (let depth = 0; depth < 4; depth++) {
    const [child] = readFileSync(`/proc/${last}/task/${last}/children`, 'utf8').trim().split(' ');
    if (child === undefined || child === '') return last;
    last = child;
    // The program itself has no further one that counts.
    if (readFileSync(`/proc/${last}/status`, 'utf8').match(/^NSpid:.*\t1$/m)) return last;
  }
  return last;
}
