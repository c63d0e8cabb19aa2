import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, type Random } from '../../src/env/index.ts';
import { play, type Disturbance, type Play } from './play.ts';
import { SCRIPT } from './script.ts';
import { startProxy, type Proxy } from './startProxy.ts';
import { startService, type ChaosService } from './startService.ts';

/** One round of a disturbance that does not kill the bot. */
export type DisturbedRound = (service: ChaosService, seed: string) => Promise<Play>;

const below = (random: Random, count: number): number => Math.floor(random.next() * count);
/** A step in the middle of the script. */
const middleStep = (random: Random): number => 1 + below(random, SCRIPT.length - 2);

const STOPPED_MS = 22_000;
const SILENT_MS = 20_000;
const DOWN_MS = 2_000;

/** SIGSTOP for longer than a stream may be silent: sockets are dead, and the clock has jumped. */
const stopped: DisturbedRound = (service, seed) => {
  const step = middleStep(createRandom(`${seed} stopped`));
  let wasStopped = false;
  return play({
    service,
    label: `stopped ${seed}`,
    armed: [],
    disturb: () => ({
      onStep(done, { child }) {
        if (done !== step) return;
        child.kill('SIGSTOP');
        wasStopped = true;
        setTimeout(() => child.kill('SIGCONT'), STOPPED_MS);
      },
      problems: () => (wasStopped ? [] : ['It was never stopped.']),
    }),
  });
};

/** The connection fails at a few steps of the script, as `fail` defines. */
const onBadLine =
  (name: string, times: number, fail: (proxy: Proxy) => void): DisturbedRound =>
  async (service, seed) => {
    const random = createRandom(`${seed} ${name}`);
    const steps = new Set(Array.from({ length: times }, () => middleStep(random)));
    const proxy = await startProxy(Number(new URL(service.baseUrl).port));
    const through = (url: string): string => {
      const address = new URL(url);
      address.port = String(proxy.port);
      return address.href.replace(/\/$/, '');
    };
    const disturbance: Disturbance = {
      address: { baseUrl: through(service.baseUrl), wsUrl: through(service.wsUrl) },
      onStep(done) {
        if (steps.delete(done)) fail(proxy);
      },
      problems: () => (proxy.spoilt > 0 ? [] : ['The line never failed.']),
    };
    try {
      return await play({
        service,
        label: `${name} ${seed}`,
        armed: [],
        disturb: () => disturbance,
      });
    } finally {
      await proxy.close();
    }
  };

/** SIGKILL of the service, which keeps its state: the bot's unknowns wait until it is back. */
const serviceKilled: DisturbedRound = async (_service, seed) => {
  const step = middleStep(createRandom(`${seed} service`));
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-kept-'));
  const own = await startService(folder, { keepsState: true });
  let restarted: Promise<void> | undefined;
  try {
    return await play({
      service: own,
      label: `service ${seed}`,
      armed: [],
      disturb: () => ({
        onStep(done) {
          if (done === step) restarted = own.restart(DOWN_MS);
        },
        problems: () => (restarted === undefined ? ['The service was never killed.'] : []),
      }),
    });
  } finally {
    await restarted;
    await own.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

export const DISTURBANCES: Readonly<Record<string, DisturbedRound>> = {
  'SIGSTOP for 22 s': stopped,
  'line cut': onBadLine('cut', 3, (proxy) => proxy.cut(1_500)),
  'line half-open for 20 s': onBadLine('half-open', 1, (proxy) => proxy.silence(SILENT_MS)),
  'line slow': onBadLine('slow', 2, (proxy) => proxy.slow(1_200, 5_000)),
  'answers cut in half': onBadLine('torn', 4, (proxy) => proxy.tearAnswers(1)),
  'service killed': serviceKilled,
};
