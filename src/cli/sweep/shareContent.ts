import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  collectContent,
  serveContent,
  writeObjects,
  type Collected,
  type SweepContent,
  type SweepPlan,
} from '../../../backtest/index.ts';
import type { BotConfig } from '../../config/index.ts';
import { isLoopback } from '../../contract/index.ts';
import { reasonOf, withFullStop } from '../../env/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/** The command line's options of how code and data get to workers. */
export interface ContentFlags {
  engine?: string;
  serve?: string | true;
  content?: string;
  pack?: string;
}

/** What the plan says of code and data; null if workers have them. */
export interface SharedContent {
  content: SweepContent | null;
  close(): Promise<void>;
}

/**
 * Makes code and data available to workers.
 *
 * @throws CommandFailure for options that don't go together, or an address that can't be used
 */
export async function shareContent(
  plan: SweepPlan,
  config: BotConfig,
  flags: ContentFlags,
): Promise<SharedContent> {
  if (flags.serve === undefined && flags.content === undefined)
    return { content: null, close: () => Promise.resolve() };
  const { files, sources } = await collect(plan, config);
  const digests = [files.code, ...files.feeds].map(({ digest }) => digest);
  if (flags.content !== undefined) {
    const urls = await readUrls(flags.content, digests);
    const [first = ''] = Object.values(urls);
    // A shared folder is filled here; what is behind a server was uploaded.
    if (first.startsWith('file:') && !flags.content.endsWith('.json')) {
      const folder = fileURLToPath(baseOf(flags.content));
      // A path that lacks more than its end is likely a share that is not mounted.
      const above = dirname(folder);
      if (!existsSync(above))
        throw unwritable('--content', folder, `there is no folder ${above}.\n  Make or mount it.`);
      await fill('--content', folder, sources);
    }
    return { content: { ...files, urls, token: null }, close: () => Promise.resolve() };
  }
  const address = readAddress(flags.serve === true ? '127.0.0.1:0' : flags.serve!);
  const server = await serveContent(sources, address).catch((error: unknown) => {
    const remedy = 'Name an address of this machine, with a port that is free.';
    const named = `--serve ${address.host}:${address.port}`;
    throw usage(`${named} can't be used: ${withFullStop(reasonOf(error))}\n  ${remedy}`);
  });
  const urls = Object.fromEntries(digests.map((digest) => [digest, `${server.url}${digest}`]));
  process.stderr.write(`Code and data for workers are at ${server.url}\n`);
  if (!isLoopback(address.host)) {
    const remedy = 'Use it in a network of your own, or behind a proxy that speaks TLS.';
    process.stderr.write(`--serve has no TLS: others could read them on the way. ${remedy}\n`);
  }
  return { content: { ...files, urls, token: server.token }, close: () => server.close() };
}

/** Writes code and data into a folder, to be uploaded, and lists them. */
export async function packContent(
  plan: SweepPlan,
  config: BotConfig,
  folder: string,
): Promise<void> {
  if (folder.trim() === '') throw usage('--pack takes a folder, such as ./packed.');
  const { files, sources } = await collect(plan, config);
  await fill('--pack', resolve(folder), sources);
  for (const { digest, bytes, path } of [files.code, ...files.feeds])
    process.stdout.write(`${digest} ${bytes} ${path === '.' ? 'code' : path}\n`);
}

/** @throws CommandFailure for options that don't go together */
export function checkContentFlags({ engine, serve, content, pack }: ContentFlags): void {
  const given = Object.entries({ '--serve': serve, '--content': content, '--pack': pack });
  const named = given.filter(([, value]) => value !== undefined).map(([name]) => name);
  if (named.length > 1) throw usage(`${named.join(' and ')} do not go together: give one.`);
  const [one] = named;
  if (one === undefined || one === '--pack' || engine !== undefined) return;
  throw usage(`${one} is for workers, and there are none without --engine postgres://….`);
}

async function collect(plan: SweepPlan, config: BotConfig): Promise<Collected> {
  try {
    return await collectContent(plan, config);
  } catch (error) {
    throw new CommandFailure('TRIMTAB_SWEEP_CONTENT', reasonOf(error), 1, { cause: error });
  }
}

async function fill(flag: string, folder: string, sources: Collected['sources']): Promise<void> {
  try {
    await writeObjects(folder, sources);
  } catch (error) {
    throw unwritable(
      flag,
      folder,
      `${withFullStop(reasonOf(error))}\n  Name a folder that can be written.`,
    );
  }
}

const unwritable = (flag: string, folder: string, reason: string): CommandFailure =>
  new CommandFailure('TRIMTAB_OUTPUT_UNWRITABLE', `${flag}: ${folder} can't be written: ${reason}`);

const baseOf = (address: string): string => (address.endsWith('/') ? address : `${address}/`);

/** An address for each object: below a base, or from a file of JSON, as for presigned addresses. */
async function readUrls(
  given: string,
  digests: readonly string[],
): Promise<Record<string, string>> {
  if (!given.endsWith('.json')) {
    const base = URL.parse(baseOf(given));
    if (base === null || !/^(file|https?):$/.test(base.protocol))
      throw usage(`--content ${given} is no file:, http: or https: address, nor a .json of them.`);
    return Object.fromEntries(digests.map((digest) => [digest, new URL(digest, base).href]));
  }
  let read: unknown;
  try {
    read = JSON.parse(await readFile(given.startsWith('file:') ? new URL(given) : given, 'utf8'));
  } catch (error) {
    const remedy = 'It holds an address by each SHA-256 that trimtab sweep … --pack FOLDER lists.';
    throw usage(`--content ${given} can't be read: ${withFullStop(reasonOf(error))}\n  ${remedy}`);
  }
  const urls = (read ?? {}) as Record<string, unknown>;
  const lacking = digests.find((digest) => URL.parse(String(urls[digest])) === null);
  if (lacking === undefined)
    return Object.fromEntries(digests.map((digest) => [digest, String(urls[digest])]));
  throw usage(
    `--content ${given} has no address for ${lacking}.\n  trimtab sweep … --pack FOLDER writes and lists what is needed.`,
  );
}

function readAddress(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:\[?([^\]]*?)\]?:)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw usage(`--serve ${text} is no HOST:PORT, such as 127.0.0.1:7070.`);
  return { host: host === undefined || host === '' ? '127.0.0.1' : host, port: Number(port) };
}

const usage = (message: string): CommandFailure => new CommandFailure('TRIMTAB_USAGE', message);
