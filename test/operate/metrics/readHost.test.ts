import { statfsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv, pause } from '../../../src/env/index.ts';
import { controlFilesOf, writeWhole } from '../../../src/operate/control/controlFiles.ts';
import { createPrometheusMetrics } from '../../../src/operate/metrics/createPrometheusMetrics.ts';
import { meterLink } from '../../../src/operate/metrics/index.ts';
import { readDisk, readPulseAge } from '../../../src/operate/metrics/readHost.ts';

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the journal is as large as its file and its log, and the disk has what a user may fill', async () => {
  const folder = openFolder();
  const path = join(folder, 'bot.sqlite');
  const disk = statfsSync(folder);
  const valueOf = async (name: string): Promise<number | undefined> =>
    (await readDisk({ path, durability: 'power', keep_days: 90 })).find((one) => one.name === name)
      ?.value;
  expect(await valueOf('journal_bytes')).toBe(0);
  writeFileSync(path, 'x'.repeat(700));
  writeFileSync(`${path}-wal`, 'x'.repeat(300));
  expect(await valueOf('journal_bytes')).toBe(1_000);
  expect(await valueOf('disk_size_bytes')).toBe(disk.blocks * disk.bsize);
  // Others write meanwhile; what is reserved for the root is far more, where there is any.
  const free = (await valueOf('disk_free_bytes'))!;
  const reserved = (disk.bfree - disk.bavail) * disk.bsize;
  expect(Math.abs(free - disk.bavail * disk.bsize)).toBeLessThan(Math.max(2 ** 30, reserved / 2));
});

test('a journal in memory or on another host has no disk', async () => {
  const rest = { durability: 'power', keep_days: 90 } as const;
  expect(await readDisk({ ...rest, path: 'memory' })).toEqual([]);
  expect(await readDisk({ ...rest, path: '/x/y.sqlite', url: {} as never })).toEqual([]);
});

test('the age of a pulse is in seconds, and a clock that was set back makes none of it', () => {
  const files = controlFilesOf(join(openFolder(), 'bot.sqlite'));
  expect([readPulseAge(files, 9_000), readPulseAge(null, 9_000)]).toEqual([[], []]);
  writeWhole(files.pulse, { pid: 7, time: 5_000, level: 'L0', obeyed: 0, reasons: [] });
  const name = 'watchdog_pulse_age_seconds';
  expect(readPulseAge(files, 9_500)).toEqual([{ name, value: 4.5 }]);
  expect(readPulseAge(files, 4_000)).toEqual([{ name, value: 0 }]);
});

test('a request is measured in seconds, one that ends without an answer too', async () => {
  const metrics = createPrometheusMetrics('bot');
  const env = { ...createVirtualEnv(), metrics: metrics.port };
  const ends = [
    async () => ({ kind: 'no_answer', reason: 'lost' }),
    async () => Promise.reject(new Error('broken')),
  ];
  const request = async (): Promise<unknown> => {
    await pause(env.timers, 1_500);
    return ends.shift()!();
  };
  const link = meterLink({ market: {}, request } as never, env);
  const asked = [link.request({} as never)];
  env.queue.advanceTo(1_500);
  await Promise.allSettled(asked);
  asked.push(link.request({} as never));
  env.queue.advanceTo(3_000);
  const [, failed] = await Promise.allSettled(asked);
  expect(failed!.status).toBe('rejected');
  const { text } = await metrics.render([]);
  expect(text).toMatch(/^trimtab_request_seconds_count\{bot="bot"\} 2$/m);
  expect(text).toMatch(/^trimtab_request_seconds_sum\{bot="bot"\} 3$/m);
});

test('what the state has no more is gone from the page', async () => {
  const metrics = createPrometheusMetrics('bot');
  const equity = (wallet: string, value: number) => ({
    name: 'equity',
    value,
    labels: { wallet },
  });
  await metrics.render([equity('main', 10), equity('gone', 20)]);
  const { text } = await metrics.render([equity('main', 11)]);
  expect([...text.matchAll(/^trimtab_equity\{.*$/gm)].map(([line]) => line)).toEqual([
    'trimtab_equity{wallet="main",bot="bot"} 11',
  ]);
  // A counter of the state is what it was read as, not the sum of all readings.
  const steps = { name: 'stream_reconnects_total', value: 3 };
  await metrics.render([steps]);
  expect((await metrics.render([steps])).text).toContain(
    'trimtab_stream_reconnects_total{bot="bot"} 3',
  );
});
