import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  expectPrometheusOnCi,
  prometheus,
  prometheusReason,
} from '../operate/metrics/findPrometheus.ts';
import { root } from '../sourceFiles.ts';
import { everyBar } from './plugins.ts';
import { openWorkshop, remoteBot, type Workshop } from './startProcess.ts';

const TOKEN = 'read-token-of-the-test';

let workshop: Workshop;
beforeEach(() => void (workshop = openWorkshop('prometheus')));
afterEach(() => workshop.close());

async function startBot(): Promise<string> {
  const service = await workshop.startPaper(60);
  workshop.write('own.ts', everyBar);
  const operate = 'operate:\n  listen: 127.0.0.1:0\n  read_token: { env: OPS_READ }\n';
  workshop.write('bot.yaml', remoteBot(service, operate));
  const environment = { TRIMTAB_TEST_SECRET: service.secret, OPS_READ: TOKEN };
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment);
  const line = /operator's page at (\S+)/;
  await expect.poll(() => line.exec(bot.text())?.[1], { timeout: 30_000 }).toBeDefined();
  return line.exec(bot.text())![1]!;
}

/** A port that was free a moment ago: Prometheus does not say which one it took. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startPrometheus(target: string): Promise<string> {
  const rules = join(root, 'deploy/prometheus/trimtab.rules.yaml');
  workshop.write('token', TOKEN);
  workshop.write(
    'prometheus.yml',
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${JSON.stringify(rules)}]
scrape_configs:
  - job_name: trimtab
    authorization: { credentials_file: token }
    static_configs: [{ targets: ['${target}'] }]
`,
  );
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    prometheus!.server,
    [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=data',
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { cwd: workshop.folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return `http://${address}`;
}

/** The values of a query by the label that names them. */
async function ask(address: string, query: string, label: string) {
  const url = `${address}/api/v1/query?query=${encodeURIComponent(query)}`;
  const answer = await fetch(url).catch(() => undefined);
  if (answer?.ok !== true) return undefined;
  const { data } = (await answer.json()) as {
    data: { result: Array<{ metric: Record<string, string>; value: [number, string] }> };
  };
  return new Map(data.result.map(({ metric, value }) => [metric[label]!, Number(value[1])]));
}

expectPrometheusOnCi();
test.skipIf(prometheus === undefined)(
  `Prometheus scrapes a bot with its token${prometheusReason}`,
  { timeout: 120_000 },
  async () => {
    const operator = await startBot();
    const server = await startPrometheus(new URL(operator).host);
    const value = (query: string, label: string) => ask(server, query, label);
    const waits = { timeout: 60_000 };
    await expect.poll(async () => (await value('up', 'job'))?.get('trimtab'), waits).toBe(1);
    // Both move with the market, so that they are equal for as long as no bar closes.
    await expect
      .poll(async () => {
        const headers = { authorization: `Bearer ${TOKEN}` };
        const answer = await fetch(new URL('/api/state', operator), { headers });
        const { blocks } = (await answer.json()) as {
          blocks: { wallets: Array<{ wallet: string; equity: number }> };
        };
        const got = await value('trimtab_equity', 'wallet');
        return (
          blocks.wallets.length > 0 &&
          blocks.wallets.every(({ wallet, equity }) => got?.get(wallet) === equity)
        );
      }, waits)
      .toBe(true);
    // What is measured around the bot, by a strategy that trades with every bar.
    const counted = [
      'trimtab_decision_age_seconds_count',
      'trimtab_request_seconds_count',
      'trimtab_journal_append_seconds_count',
      'sum by (bot) (trimtab_fills_total)',
      'trimtab_journal_bytes',
      'trimtab_disk_free_bytes',
    ];
    for (const query of counted)
      await expect
        .poll(async () => (await value(query, 'bot'))?.get('remote') ?? 0, waits)
        .toBeGreaterThan(0);
    const names = await value('group by (alertname) (ALERTS{alertstate="firing"})', 'alertname');
    expect([...names!.keys()].filter((name) => /Down|Key|Kill|Orphan/.test(name))).toEqual([]);
  },
);
