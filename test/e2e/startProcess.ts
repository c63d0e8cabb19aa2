import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../sourceFiles.ts';

export interface Started {
  child: ChildProcess;
  /** Everything that it wrote so far. */
  text(): string;
}

export interface Service {
  base_url: string;
  ws_url: string;
  key_id: string;
  secret: string;
}

/** A folder below the project, so that plugins import 'trimtab' as in a clone, and its processes. */
export interface Workshop {
  folder: string;
  write(name: string, text: string): void;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Started;
  /** A paper service in a separate process, running at this speed. */
  startPaper(speed: number): Promise<Service>;
  close(): void;
}

export function openWorkshop(name: string): Workshop {
  const folder = mkdtempSync(join(root, `var-${name}-`));
  const children: ChildProcess[] = [];
  const start: Workshop['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [join(root, 'bin/trimtab.js'), ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    children.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    }
    return { child, text: () => text };
  };
  return {
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    start,
    async startPaper(speed) {
      const { child } = start(['paper', '--port', '0', '--speed', String(speed)]);
      const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
      return JSON.parse(line) as Service;
    },
    close() {
      for (const child of children) {
        child.kill('SIGCONT');
        child.kill('SIGKILL');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A configuration of a bot on a paper service elsewhere. */
export function remoteBot(service: Service, more = ''): string {
  return `name: remote
link:
  kind: paper_service
  base_url: ${service.base_url}
  ws_url: ${service.ws_url}
  key_id: ${service.key_id}
  secret: { env: TRIMTAB_TEST_SECRET }
strategies:
  - { name: own, use: ./own.ts, symbols: [BTC] }
journal: ./bot.sqlite
${more}`;
}
