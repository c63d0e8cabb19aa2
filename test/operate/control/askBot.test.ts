import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { askBot } from '../../../src/operate/control/askBot.ts';
import { pollRequests } from '../../../src/operate/control/pollRequests.ts';
import { holdLaw } from '../../holdLaw.ts';

const schema = z.object({ what: z.string(), time: z.number() });

test('each request is carried out once and answered, by a clock that is set back too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-ask-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let cases = 0;
  const course = fc.array(
    fc.record({
      /** Of the wall, before the request. */
      step: fc.constantFrom(-3_600_000, -1, 0, 1, 5_000),
      outcome: fc.constantFrom('done', 'done with', 'refused', 'failed'),
    }),
    { minLength: 1, maxLength: 6 },
  );
  await holdLaw(20, course, async (steps) => {
    const at = join(folder, String(cases++));
    const files = { pulse: `${at}-pulse` };
    const [request, response] = [`${at}-request`, `${at}-response`];
    writeFileSync(
      files.pulse,
      JSON.stringify({ pid: 1, time: 0, level: 'L0', reasons: [], obeyed: 0 }),
    );
    // What was written to the process before is nobody's request any more.
    const stale = { what: 'stale', time: 1_790_000_000_000 };
    writeFileSync(request, JSON.stringify(stale));
    const env = createVirtualEnv();
    let offset = 1_780_000_000_000;
    const clock = { ...env.clock, wallNow: () => env.clock.monotonicNow() + offset };
    const timers = env.timers;
    const done: string[] = [];
    let outcome = 'done';
    const stop = pollRequests({
      env: { ...env, clock },
      request,
      response,
      schema,
      command: 'x',
      run: async ({ what }) => {
        done.push(what);
        if (outcome === 'failed') throw new Error('full');
        return outcome === 'refused'
          ? 'why'
          : outcome === 'done with'
            ? { done: 'text' }
            : undefined;
      },
    });
    const wanted: string[] = [];
    for (const [number, step] of steps.entries()) {
      offset += step.step;
      ({ outcome } = step);
      const asked = { what: `request ${number}` };
      wanted.push(asked.what);
      let answer: unknown;
      const isAlive = (): boolean => true;
      const asking = askBot({
        env: { clock, timers },
        files,
        request,
        response,
        schema,
        asked,
        isAlive,
      } as never).then((given) => (answer = given));
      for (let turn = 0; answer === undefined && turn < 200; turn++) {
        await Promise.resolve();
        env.queue.advanceTo(env.queue.nextTime() ?? 0);
        await new Promise(setImmediate);
      }
      await asking;
      // It looks on, and finds nothing new.
      for (let turn = 0; turn < 3; turn++) {
        env.queue.advanceTo(env.queue.nextTime() ?? 0);
        await new Promise(setImmediate);
      }
      expect(answer).toEqual(
        {
          done: { kind: 'done' },
          'done with': { kind: 'done', text: 'text' },
          refused: { kind: 'refused', reason: 'why' },
          failed: { kind: 'failed', reason: 'full' },
        }[step.outcome],
      );
    }
    stop();
    expect(done).toEqual(wanted);
  });
});
