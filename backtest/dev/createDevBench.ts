import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { formatFaults, loadConfig, type LoadedConfig } from '../../src/config/index.ts';
import type { PaperLinkConfig } from '../../src/config/index.ts';
import { createLiveEnv, reasonOf } from '../../src/env/index.ts';
import { compareRuns, renderReport, type ReportIntent } from '../../src/operate/report/index.ts';
import type { PaperRun } from '../../src/operate/run/index.ts';
import { loadMarketData, type MarketData, type PaperSettings } from '../../src/paper/index.ts';
import { parameterFiles, tapeFiles } from '../parameterFiles.ts';
import { runLoadedBacktest } from '../runLoadedBacktest.ts';
import { describeParting } from './describeParting.ts';
import type { DevMessage, DevSettings } from './DevMessage.ts';

/** Those of `trimtab compare`'s figures by which authors compare versions of a plugin. */
const MAIN: ReadonlySet<string> = new Set([
  'P&L',
  'of the capital',
  'max drawdown',
  'of its peak',
  'Sharpe (annualised)',
  'trades',
  'won',
  'profit factor',
  'time in the market',
  'fills',
  'fees',
  'intents',
  'not accepted',
  'hash',
]);

const SILENT = { update: () => {}, finish: () => {} };

/** One run after the other; market data stays in memory, plugins are read anew. */
export interface DevBench {
  /** Never rejects: a fault is posted. */
  run(run: number, isStopped: () => boolean, post: (message: DevMessage) => void): Promise<void>;
}

interface Started {
  run: number;
  isStopped(): boolean;
  onFile(path: string): void;
  /** Monotonic time. */
  startedAt: number;
}

export function createDevBench(settings: DevSettings): DevBench {
  const env = createLiveEnv();
  const { range, feeds, params, set } = settings;
  const overrides = {
    onPaper: true,
    journal: 'memory',
    params: [...params],
    set: [...set],
    ...(feeds.length === 0 ? {} : { feeds: [...feeds] }),
  };
  const marketData = createDataCache();
  let before: readonly ReportIntent[] | undefined;

  async function backtest(
    run: number,
    isStopped: () => boolean,
    post: (message: DevMessage) => void,
  ): Promise<void> {
    const startedAt = env.clock.monotonicNow();
    const loaded = await loadConfig(settings.config, { overrides });
    if (!loaded.ok) return post({ kind: 'fault', run, text: formatFaults(loaded.faults) });
    const onFile = (path: string): void =>
      post({ kind: 'file', run, file: { path, mtimeMs: mtimeOf(path) } });
    const { strategies } = loaded.config;
    // Watched before anything slow begins: no save from now on may be missed.
    for (const path of [
      ...strategies.map(({ use }) => use).filter(isAbsolute),
      ...tapeFiles(loaded.config.link),
    ])
      onFile(path);
    const named = parameterFiles(loaded.config).map((path) => ({ path, mtimeMs: mtimeOf(path) }));
    try {
      await measure(loaded, { run, isStopped, onFile, startedAt }, post);
    } finally {
      // What the plugin itself writes would start a run after each run.
      for (const file of named)
        if (mtimeOf(file.path) === file.mtimeMs) post({ kind: 'file', run, file });
    }
  }

  async function measure(
    loaded: LoadedConfig,
    { run, isStopped, onFile, startedAt }: Started,
    post: (message: DevMessage) => void,
  ): Promise<void> {
    const data = await marketData(loaded);
    const fresh = { version: run, onFile };
    const result = await runLoadedBacktest({
      loaded,
      known: { data, fresh },
      charts: true,
      range,
      env,
      progress: SILENT,
      isStopped,
    });
    if (!result.ok) return post({ kind: 'fault', run, text: result.failure.message });
    const { data: figures, interruptedAt, quarantined } = result.value;
    if (interruptedAt !== undefined || isStopped()) return post({ kind: 'aborted', run });
    const parting = before === undefined ? undefined : describeParting(before, figures.intents);
    before = figures.intents;
    post({
      kind: 'figures',
      run,
      figures: figuresOf(result.value),
      bars: data?.feeds.reduce((sum, { time }) => sum + time.length, 0) ?? 0,
      runMs: env.clock.monotonicNow() - startedAt,
      notes: notesOf(result.value),
      ...(quarantined.length === 0 ? {} : { fault: quarantined.join('\n') }),
      ...(parting === undefined ? {} : { parting }),
    });
    post({ kind: 'report', run, html: renderReport(figures) });
  }

  return {
    run: (run, isStopped, post) =>
      backtest(run, isStopped, post).catch((error: unknown) =>
        post({ kind: 'fault', run, text: reasonOf(error) }),
      ),
  };
}

function figuresOf({ data }: PaperRun): [string, string][] {
  const { rows } = compareRuns([{ name: 'now', data }]);
  return rows.flatMap(([name, value]) => (MAIN.has(name!) ? [[name!, value!]] : []));
}

function notesOf({ malformed, suppressed }: PaperRun): string[] {
  const notes: string[] = [];
  if (malformed > 0) notes.push(`Malformed intents, not sent: ${malformed}.`);
  if (suppressed > 0) notes.push(`Decided in warm-up, not sent: ${suppressed}.`);
  return notes;
}

const paperOf = ({ config }: LoadedConfig): PaperSettings => (config.link as PaperLinkConfig).paper;

const mtimeOf = (path: string): number | undefined =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** Market data, read again only if the settings name other data, or a file of it has changed. */
function createDataCache(): (loaded: LoadedConfig) => Promise<MarketData | undefined> {
  let cached: { key: string; data: MarketData } | undefined;
  return async (loaded) => {
    const { feeds, funding } = paperOf(loaded);
    const key = JSON.stringify([feeds, funding, tapeFiles(loaded.config.link).map(mtimeOf)]);
    if (cached?.key === key) return cached.data;
    const read = await loadMarketData(paperOf(loaded));
    // The run reads them again, and explains what is wrong.
    if (!read.ok) return undefined;
    cached = { key, data: read.value };
    return read.value;
  };
}
