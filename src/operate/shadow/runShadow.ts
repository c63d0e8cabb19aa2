/**
 * A shadow's side of its thread: bars come in, a whole bot decides and trades on them on a virtual account, and
 * its intents and figures go out. It has no client, no key, and no socket.
 */
import { resolve } from 'node:path';
import { config as rxjs } from 'rxjs';
import type { Dialect } from '../../contract/index.ts';
import { reasonOf, type Log, type LogFields, type ThreadSide } from '../../env/index.ts';
import type { BotConfig } from '../../config/index.ts';
import { checkParams, loadStrategy, type Strategy } from '../../strategy/index.ts';
import { loadDialect } from '../run/loadDialect.ts';
import { openBench, type Bench } from './openBench.ts';
import type { FromShadow, ShadowSpec, ToShadow } from './ShadowMessage.ts';

/** Lines of a turn that are passed on: a shadow must not fill the log. */
const MOST_LINES = 100;

export async function runShadow(side: ThreadSide): Promise<void> {
  const spec = side.data as ShadowSpec;
  const post = (message: FromShadow): void => side.post(message);
  const fail = (reason: string): void => post({ kind: 'fault', reason });
  side.onEnd(fail);
  rxjs.onUnhandledError = (error) => fail(reasonOf(error));
  const loaded = await load(spec);
  if (!loaded.ok) return fail(loaded.reason);
  const { strategy, params, dialect } = loaded;
  const lines = createLines(post);
  let bench: Bench | undefined;

  async function take(message: ToShadow): Promise<string | undefined> {
    if (message.kind === 'begin')
      bench = await openBench({ spec, strategy, params, dialect, begin: message, log: lines.log });
    else if (message.kind === 'bars') await bench?.advance(message.bars);
    else {
      await bench?.close();
      return bench?.hash();
    }
    return undefined;
  }

  async function turn(message: ToShadow): Promise<void> {
    lines.renew();
    const hash = await take(message);
    const intents = bench?.takeIntents() ?? [];
    if (intents.length > 0) post({ kind: 'intents', intents });
    const problem = bench?.problem() ?? memoryProblem(side.memoryMb(), spec.memoryMb);
    if (problem !== undefined) fail(problem);
    // Loading and warm-up have more time than a turn.
    if (message.kind === 'begin') post({ kind: 'ready' });
    const reached = { at: bench?.now() ?? 0, ...(hash === undefined ? {} : { hash }) };
    const figures = bench?.figures();
    post({ kind: 'done', ...reached, ...(figures === undefined ? {} : { figures }) });
  }

  let turns = Promise.resolve();
  side.onMessage((message) => {
    turns = turns.then(() => turn(message as ToShadow)).catch((error) => fail(reasonOf(error)));
  });
}

type Loaded =
  | { ok: true; strategy: Strategy; params: Record<string, unknown>; dialect: Dialect }
  | { ok: false; reason: string };

async function load(spec: ShadowSpec): Promise<Loaded> {
  const plugin = await loadStrategy(spec.use, { baseDir: resolve(spec.directory) });
  if (!plugin.ok) return { ok: false, reason: `${plugin.fault.reason} ${plugin.fault.remedy}` };
  const { strategy } = plugin.value;
  const params = checkParams(strategy, spec.params);
  if (!params.ok) return { ok: false, reason: `${params.fault.reason} ${params.fault.remedy}` };
  const dialect = await loadDialect(spec.dialect as BotConfig);
  if (!dialect.ok) return { ok: false, reason: dialect.failure.message };
  return { ok: true, strategy, params: params.value, dialect: dialect.value };
}

function memoryProblem(used: number, limit: number): string | undefined {
  if (used <= limit) return undefined;
  return `It uses ${Math.ceil(used)} MB of memory, and may use ${limit}.`;
}

function createLines(post: (message: FromShadow) => void) {
  let left = MOST_LINES;
  const toLog = (own: LogFields): Log => {
    const write =
      (level: 'info' | 'warn' | 'error') =>
      (message: string, fields: LogFields = {}): void => {
        left -= 1;
        if (left >= 0) post({ kind: 'log', level, message, fields: { ...own, ...fields } });
      };
    return {
      debug: () => {},
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      with: (fields) => toLog({ ...own, ...fields }),
    };
  };
  return { log: toLog({}), renew: () => void (left = MOST_LINES) };
}
