import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from './runCli.ts';
import { openWorkshop } from './startProcess.ts';

test('a log is shown in the zone that was asked for, with its offset', async () => {
  const workshop = openWorkshop('zone');
  onTestFinished(workshop.close);
  const path = join(workshop.folder, 'bot.log');
  const time = Date.parse('2026-07-01T22:30:00Z');
  writeFileSync(path, `{"level":30,"time":${time},"msg":"hello"}\n`);
  const shown = async (...tz: string[]) => (await runCli(['logs', path, ...tz])).out;
  expect(await shown()).toMatch(/^22:30:00 /);
  expect(await shown('--tz', 'Europe/Berlin')).toMatch(/^00:30:00\+02:00 /);
  const wrong = await runCli(['logs', path, '--tz', 'Europe/Berln']);
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('Did you mean Europe/Berlin?');
});
