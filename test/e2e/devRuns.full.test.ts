import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { botTemplate, pluginTemplate } from '../../src/cli/project/initTemplates.ts';
import { runCli } from './runCli.ts';
import { openDevWorkshop, openStates, startDev } from './startDev.ts';
import type { Workshop } from './startProcess.ts';

const PLUGIN = 'strategies/firstPlugin.ts';
/** Other programs of a test run may need the machine. */
const PATIENT = { timeout: 20_000 };
let workshop: Workshop;
beforeEach(() => void (workshop = openDevWorkshop('dev-runs')));
afterEach(() => workshop.close());

const third = pluginTemplate.replace('ctx.capital() / 2', 'ctx.capital() / 3');

test('a save of what the plugin imports, of the configuration, and one by renaming, run it too', async () => {
  const imports = "import { divisor } from './sizes/divisor.ts';\n";
  workshop.write(PLUGIN, imports + pluginTemplate.replace('capital() / 2', 'capital() / divisor'));
  const dev = await startDev(workshop);
  // The folder and the file that it imports do not exist yet.
  expect(await dev.aboutRun(1)).toContain('sizes/divisor.ts');
  workshop.write('divisor.ts', 'export const divisor: number = 2;\n');
  workshop.write(
    PLUGIN,
    imports.replace('./sizes/', '../') +
      pluginTemplate.replace('capital() / 2', 'capital() / divisor'),
  );
  expect(await dev.aboutRun(2)).toMatch(/^P&L +\+556\.38$/m);
  workshop.write('next.ts', 'export const divisor: number = 3;\n');
  renameSync(join(workshop.folder, 'next.ts'), join(workshop.folder, 'divisor.ts'));
  expect(await dev.aboutRun(3)).toMatch(/divisor\.ts[^]*\nP&L +\+37\d\.\d\d +\+556\.38$/m);
  workshop.write('bot.yaml', botTemplate('s.json').replace('slow: 30', 'slow: 31'));
  expect(await dev.aboutRun(4)).toMatch(/^ *· bot\.yaml · 3,000 bars/m);
}, 60_000);

test('a newer save ends the run that is under way', async () => {
  const dev = await startDev(workshop);
  await dev.aboutRun(1);
  const { states, close } = await openStates(dev.url);
  const started = (run: number) =>
    expect.poll(() => states.at(-1), PATIENT).toMatchObject({ run, status: 'running' });
  workshop.write('bot.yaml', botTemplate('s.json').replace('bars: 3000', 'bars: 400000'));
  for (const run of [2, 3, 4]) {
    await started(run);
    workshop.write(PLUGIN, `${pluginTemplate}// ${run}\n`);
  }
  await started(5);
  workshop.write('bot.yaml', botTemplate('s.json'));
  expect(await dev.aboutRun(6)).toContain('3,000 bars');
  expect(dev.text()).not.toMatch(/\nrun [2345] /);
  close();
}, 60_000);

test('a plugin that loops, ends its process, or throws outside of everything does not end the loop', async () => {
  const dev = await startDev(workshop);
  await dev.aboutRun(1);
  const { states, close } = await openStates(dev.url);
  workshop.write(PLUGIN, pluginTemplate.replace('const size =', 'for (;;);\n        const size ='));
  await expect.poll(() => states.at(-1), PATIENT).toMatchObject({ run: 2, status: 'running' });
  workshop.write(PLUGIN, `process.exit(3);\n${pluginTemplate}`);
  expect(await dev.aboutRun(3)).toContain('It called process.exit(3).');
  workshop.write(PLUGIN, third);
  expect(await dev.aboutRun(4)).toMatch(/^P&L +\+37\d\.\d\d/m);
  close();
}, 60_000);

test('a port that is taken is refused with its remedy', async () => {
  const { url } = await startDev(workshop);
  const { port } = new URL(url);
  const second = await runCli(['dev', 'bot.yaml', '--port', port], { cwd: workshop.folder });
  expect(second.code).toBe(1);
  expect(second.err).toContain(`Port ${port} is in use.`);
  expect(second.err).toContain('TRIMTAB_PORT_UNAVAILABLE');
}, 60_000);
