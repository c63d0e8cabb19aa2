import { statSync } from 'node:fs';
import { relative } from 'node:path';
import type { Env } from '../../src/env/index.ts';
import { createDevRunner } from './createDevRunner.ts';
import type { DevFigure, DevMessage, DevSettings } from './DevMessage.ts';
import type { DevRow, DevState } from './DevState.ts';
import { serveDevPage } from './serveDevPage.ts';
import { watchFiles } from './watchFiles.ts';

export interface DevOptions {
  settings: DevSettings;
  env: Pick<Env, 'clock' | 'timers'>;
  /** Of the page on this machine; 0 takes a free one. */
  port: number;
  /** Called when a run has its figures, or a fault. */
  onRun(state: DevState): void;
}

export interface DevSession {
  /** Address of the page. */
  url: string;
  close(): void;
}

/**
 * Backtests a configuration now and whenever its file, a plugin, or what a plugin imports has changed.
 *
 * @throws Error with the code of the system where the port can't be taken
 */
export async function startDev(options: DevOptions): Promise<DevSession> {
  const { settings, env, port, onRun } = options;
  let html = '';
  let figures: readonly DevFigure[] = [];
  let startedAt = env.clock.monotonicNow();
  let state: DevState = {
    bot: settings.config,
    run: 0,
    status: 'running',
    changed: [],
    rows: [],
    bars: 0,
    figuresOf: 0,
    tookMs: 0,
    notes: [],
    report: 0,
  };
  const server = await serveDevPage({ port, state: () => state, report: () => html });
  const watcher = watchFiles(env.timers, (files) => {
    start(files.map((file) => relative('.', file)));
  });
  const runner = createDevRunner({ settings, timers: env.timers, onMessage: take });

  function show(change: Partial<DevState>): void {
    state = { ...state, ...change };
    server.publish(state);
  }

  function start(changed: readonly string[]): void {
    startedAt = env.clock.monotonicNow();
    const { fault: _fault, ...rest } = state;
    state = rest;
    show({ run: state.run + 1, status: 'running', changed });
    runner.run(state.run);
  }

  function take(message: DevMessage): void {
    if (message.kind === 'file') watcher.add(message.file);
    else if (message.kind === 'figures') {
      const rows = compare(figures, message.figures);
      figures = message.figures;
      const { run, bars, notes, parting, fault } = message;
      const tookMs = env.clock.monotonicNow() - startedAt;
      const differs = parting === undefined ? [] : [`Intents: ${parting}.`];
      const ending =
        fault === undefined ? { status: 'done' as const } : { status: 'fault' as const, fault };
      show({ ...ending, figuresOf: run, rows, bars, tookMs, notes: [...notes, ...differs] });
      onRun(state);
    } else if (message.kind === 'report') {
      html = message.html;
      show({ report: message.run });
    } else if (message.kind === 'fault') {
      show({ status: 'fault', fault: message.text, notes: [] });
      onRun(state);
    }
  }

  watcher.add({
    path: settings.config,
    mtimeMs: statSync(settings.config, { throwIfNoEntry: false })?.mtimeMs,
  });
  start([]);
  return {
    url: server.url,
    close() {
      watcher.close();
      runner.close();
      server.close();
    },
  };
}

function compare(before: readonly DevFigure[], now: readonly DevFigure[]): DevRow[] {
  const old = new Map(before);
  return now.map(([name, value]) => {
    const was = old.get(name);
    return { name, now: value, ...(was === undefined || was === value ? {} : { before: was }) };
  });
}
