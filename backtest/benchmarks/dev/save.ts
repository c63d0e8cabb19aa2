import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pluginTemplate } from '../../../src/cli/project/initTemplates.ts';
import { runCli } from '../../../test/e2e/runCli.ts';
import { openDevWorkshop, startDev } from '../../../test/e2e/startDev.ts';
import { root } from '../../../test/sourceFiles.ts';
import { compare, median, type ComparisonResult, type Rates } from '../harness.ts';

const BARS = 50_000;
/** Saves of a round: the median of them counts, and none may need a second. */
const SAVES = 5;

/** Why saves can't be measured here, with the remedy; undefined if they can. */
export function saveUnavailable(): string | undefined {
  return existsSync(join(root, 'dist/src/cli/main.js')) ? undefined : 'run npm run build';
}

/**
 * From the save of a plugin to the figures of its backtest in the terminal, on 50,000 one-minute bars: the command for
 * each save, and `trimtab dev`.
 */
export async function benchSave(): Promise<ComparisonResult[]> {
  const workshop = openDevWorkshop('bench-dev', BARS);
  const plugin = join(workshop.folder, 'strategies/firstPlugin.ts');
  const times: number[] = [];
  const processor: number[] = [];
  let saves = 1;
  const save = (): void => writeFileSync(plugin, `${pluginTemplate}// ${saves}\n`);
  try {
    const dev = await startDev(workshop);
    await dev.aboutRun(1);
    return await compare({
      name: `dev/save: ${BARS.toLocaleString('en-US')} bars`,
      warmUps: 2,
      contenders: [
        {
          name: 'trimtab backtest, each time',
          run: async () => {
            const started = performance.now();
            await runCli(['backtest', 'bot.yaml', '--no-report'], { cwd: workshop.folder });
            return { 'saves/s': 1_000 / (performance.now() - started) };
          },
        },
        {
          name: 'trimtab dev',
          goal: 2,
          run: async (): Promise<Rates> => {
            const round: number[] = [];
            const before = processorMs(dev.child.pid!);
            for (let at = 0; at < SAVES; at++) {
              saves += 1;
              const started = performance.now();
              save();
              await dev.until(`\nrun ${saves} `);
              round.push(performance.now() - started);
            }
            times.push(...round);
            processor.push((processorMs(dev.child.pid!) - before) / SAVES);
            return { 'saves/s': 1_000 / median(round) };
          },
          note: () =>
            `median ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms; ` +
            `${Math.round(median(processor))} ms of the processor`,
        },
      ],
    });
  } finally {
    workshop.close();
  }
}

/** Processor time of another process, all of its threads, in steps of 10 ms; Linux alone has it in a file. */
function processorMs(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The name of the program, which may hold spaces, ends with the last bracket.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
