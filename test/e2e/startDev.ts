import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { botTemplate, pluginTemplate } from '../../src/cli/project/initTemplates.ts';
import type { DevState } from '../../backtest/dev/index.ts';
import { openWorkshop, type Workshop } from './startProcess.ts';

/** `trimtab dev` in a process of its own, on the bot of `trimtab init` in real files. */
export interface StartedDev {
  child: ChildProcess;
  /** Address of the page. */
  url: string;
  /** Everything that it wrote so far. */
  text(): string;
  /** Waits until it has written a text, or something that matches. */
  until(text: string | RegExp): Promise<void>;
  /** Part of what it wrote about a run. */
  aboutRun(run: number): Promise<string>;
}

/** A folder with the bot of `trimtab init`, of as many one-minute bars. */
export function openDevWorkshop(name: string, bars = 3_000): Workshop {
  const workshop = openWorkshop(name);
  mkdirSync(join(workshop.folder, 'strategies'));
  workshop.write('strategies/firstPlugin.ts', pluginTemplate);
  workshop.write('bot.yaml', botTemplate('s.json').replace('bars: 3000', `bars: ${bars}`));
  return workshop;
}

export async function startDev(workshop: Workshop, ...flags: string[]): Promise<StartedDev> {
  const { child, text } = workshop.start(['dev', 'bot.yaml', ...flags]);
  const isThere = (wanted: string | RegExp): boolean =>
    typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text());
  const until = async (wanted: string | RegExp): Promise<void> => {
    while (!isThere(wanted)) {
      if (child.exitCode !== null) throw new Error(`It ended without ${wanted}:\n${text()}`);
      await setTimeout(20);
    }
  };
  await until('Ctrl-C');
  return {
    child,
    url: /http:\S+/.exec(text())![0],
    text,
    until,
    aboutRun: async (run) => {
      await until(new RegExp(`\nrun ${run} .*\n[^]*\n$`));
      return text().split(`\nrun ${run} `)[1]!.split('\nrun ')[0]!;
    },
  };
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

/** One request, with a Host header of choice. */
export function ask(
  url: string,
  options: { method?: string; host?: string } = {},
): Promise<Answer> {
  const { method = 'GET', host } = options;
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    const sent = request(url, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body }),
      );
    });
    sent.on('error', reject).end();
  });
}

/** States of the page as they arrive. */
export async function openStates(url: string): Promise<{ states: DevState[]; close(): void }> {
  const states: DevState[] = [];
  const aborting = new AbortController();
  const response = await fetch(`${url}events`, { signal: aborting.signal });
  void (async () => {
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + part).split('\n\n');
      text = events.pop()!;
      states.push(...events.map((event) => JSON.parse(event.replace('data: ', '')) as DevState));
    }
  })().catch(() => {});
  return { states, close: () => aborting.abort() };
}
