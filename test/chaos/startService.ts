import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SCOPES, defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { openService } from '../../src/operate/run/index.ts';
import type { Client } from '../../src/wire/index.ts';
import { COMPILED } from './compiled.ts';

const SERVE = join(import.meta.dirname, '../paper/state/servePaper.ts');
/** Replay seconds a second: a bar every three seconds. */
const SPEED = 20;
const BALANCE = 100_000;

/** A separate wallet with its own keys: rounds are isolated. */
export interface Account {
  wallet: string;
  keyId: string;
  secret: string;
  /** Reads the service independently of the bot, with a read-only key. */
  outside: Client;
  close(): Promise<void>;
}

/** `trimtab paper` in a separate process. */
export interface ChaosService {
  baseUrl: string;
  wsUrl: string;
  child: ChildProcess;
  openAccount(label: string): Promise<Account>;
  /** SIGKILL, and a new process on the same files and port. */
  restart(downMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Ready {
  base_url: string;
  ws_url: string;
}

/** @param folder for its configuration, and its state if it saves one */
export async function startService(
  folder: string,
  options: { keepsState?: boolean; speed?: number } = {},
): Promise<ChaosService> {
  const config = join(folder, 'paper.yaml');
  const state = options.keepsState === true ? '  state: kept/paper.state\n' : '';
  writeFileSync(
    config,
    `paper:\n  speed: ${options.speed ?? SPEED}\n  feeds:\n    - { symbol: BTC, interval: 1m, generate: {} }\n${state}`,
  );
  let { child, ready } = await spawnPaper(config, 0);
  const port = Number(new URL(ready.base_url).port);
  const control = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const answer = await fetch(`${ready.base_url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, string>;
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    baseUrl: ready.base_url,
    wsUrl: ready.ws_url,
    get child() {
      return child;
    },
    async openAccount(label) {
      const { id } = await control('/paper/connections', { label, balance: BALANCE });
      const wallet = id!;
      const key = { label, connection_id: wallet, tier: 'elite' };
      const bot = await control('/paper/keys', { ...key, scopes: SCOPES });
      const eyes = await control('/paper/keys', { ...key, scopes: ['read'] });
      const { client, link } = openService(
        { ...addressOf(ready), keyId: eyes['key_id']!, secret: eyes['secret']! },
        { dialect: defaultDialect, env: createLiveEnv(), market: 'frames' },
      );
      return {
        wallet,
        keyId: bot['key_id']!,
        secret: bot['secret']!,
        outside: client,
        close: () => link.close(),
      };
    },
    async restart(downMs) {
      await kill();
      await new Promise((resolve) => setTimeout(resolve, downMs));
      ({ child, ready } = await spawnPaper(config, port));
    },
    close: kill,
  };
}

const addressOf = ({ base_url: baseUrl, ws_url: wsUrl }: Ready) => ({ baseUrl, wsUrl });

async function spawnPaper(
  config: string,
  port: number,
): Promise<{ child: ChildProcess; ready: Ready }> {
  const args = [SERVE, 'paper', '--config', config, '--port', String(port)];
  const env = { ...process.env, ...COMPILED };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(-4_000);
  });
  const line = once(createInterface(child.stdout), 'line').then(([first]) => first as string);
  const first = await Promise.race([line, once(child, 'exit').then(() => null)]);
  if (first === null) throw new Error(`The paper service did not start: ${said}`);
  return { child, ready: JSON.parse(first) as Ready };
}
