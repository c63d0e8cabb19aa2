import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { botTemplate, pluginTemplate } from '../../src/cli/project/initTemplates.ts';
import { hashOf, runCli } from './runCli.ts';
import { ask, openDevWorkshop, openStates, startDev } from './startDev.ts';
import type { Workshop } from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

const PLUGIN = 'strategies/firstPlugin.ts';
/** Other programs of a test run may need the machine. */
const PATIENT = { timeout: 20_000 };
let workshop: Workshop;
beforeEach(() => void (workshop = openDevWorkshop('dev')));
afterEach(() => workshop.close());

const third = pluginTemplate.replace('ctx.capital() / 2', 'ctx.capital() / 3');

it('the first run has the hash of the command, and a save shows what changed', async () => {
  const dev = await startDev(workshop);
  const hash = hashOf(
    await runCli(['backtest', 'bot.yaml', '--no-report'], { cwd: workshop.folder }),
  );
  expect(await dev.aboutRun(1)).toMatch(new RegExp(`^hash +${hash!.slice(0, 12)}$`, 'm'));
  workshop.write(PLUGIN, third);
  const second = await dev.aboutRun(2);
  expect(second).toContain(`· ${PLUGIN} · 3,000 bars · `);
  expect(second).toMatch(/^P&L +\+37\d\.\d\d +\+556\.38$/m);
  expect(second).toMatch(/^fills +16$/m);
  workshop.write(PLUGIN, `${third}// the same\n`);
  expect(await dev.aboutRun(3)).toContain('Every figure is as before.');
}, 60_000);

it('a fault is shown in terminal and page with its file and line, and the loop goes on', async () => {
  const dev = await startDev(workshop);
  await dev.aboutRun(1);
  const { states, close } = await openStates(dev.url);
  workshop.write(PLUGIN, pluginTemplate.replace('contract: 1,', 'contract: 1'));
  expect(await dev.aboutRun(2)).toContain(`fault\n${PLUGIN}:17`);
  workshop.write('bot.yaml', botTemplate('s.json').replace('max_leverage: 2', 'max_leverage: two'));
  expect(await dev.aboutRun(3)).toMatch(/bot\.yaml:\d+:\d+[^]*max_leverage/);
  workshop.write('bot.yaml', botTemplate('s.json'));
  workshop.write(
    PLUGIN,
    pluginTemplate.replace(
      'const size =',
      "if (bar.close > 0) throw new Error('no size');\n        const size =",
    ),
  );
  expect(await dev.aboutRun(4)).toMatch(
    /Quarantined before the end of the run:\n.*firstPlugin\.ts:28:\d+.*no size/,
  );
  workshop.write(PLUGIN, pluginTemplate);
  expect(await dev.aboutRun(5)).toContain('P&L');
  const faults = states.flatMap(({ fault = [] }) => fault);
  expect([...new Set(faults)]).toEqual([
    expect.stringContaining(`${PLUGIN}:17`),
    expect.stringMatching(/bot\.yaml:\d+:\d+/),
    expect.stringMatching(/firstPlugin\.ts:28:\d+/),
  ]);
  await expect.poll(() => states.at(-1), PATIENT).toMatchObject({ run: 5, status: 'done' });
  expect(states.at(-1)).not.toHaveProperty('fault');
  close();
}, 60_000);

it('the page is for this machine: other hosts, methods and addresses are refused', async () => {
  const dev = await startDev(workshop);
  await dev.aboutRun(1);
  const { port } = new URL(dev.url);
  const page = await ask(dev.url);
  expect(page).toMatchObject({ status: 200, headers: { 'x-frame-options': 'SAMEORIGIN' } });
  await expect.poll(async () => (await ask(`${dev.url}report`)).body).toContain('<!doctype html>');
  for (const path of ['', 'report', 'events', 'page.js']) {
    const rebound = await ask(`${dev.url}${path}`, { host: `evil.example:${port}` });
    expect([path, rebound.status, rebound.body]).toEqual([
      path,
      403,
      expect.stringContaining('Host'),
    ]);
  }
  expect(await ask(dev.url, { method: 'POST' })).toMatchObject({ status: 405 });
  expect(await ask(`${dev.url}etc/passwd`)).toMatchObject({ status: 404 });
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  if (outside !== undefined)
    await expect(ask(`http://${outside.address}:${port}/`)).rejects.toThrow('ECONNREFUSED');
}, 60_000);

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends it cleanly, with a page open',
  async (signal) => {
    const dev = await startDev(workshop);
    const { close } = await openStates(dev.url);
    await dev.aboutRun(1);
    dev.child.kill(signal);
    expect(await once(dev.child, 'exit')).toEqual([0, null]);
    close();
  },
  60_000,
);
