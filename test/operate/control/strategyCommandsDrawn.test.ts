import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  controlFilesOf,
  readWhole,
  settled,
  writeWhole,
} from '../../../src/operate/control/controlFiles.ts';
import { pollStrategyCommands } from '../../../src/operate/control/pollStrategyCommands.ts';
import { holdLaw } from '../../holdLaw.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-strategy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const STAGES = ['shadow', 'canary', 'live'] as const;

test('drawn commands move the strategy that they name by one stage, or say why not', async () => {
  const command = fc.record({
    instance: fc.constantFrom('one', 'two', 'none'),
    do: fc.constantFrom('pause' as const, 'resume' as const, 'promote' as const),
    move: fc.constantFrom(undefined, 'next' as const, 'back' as const, 'live' as const),
    hand_over: fc.constantFrom(undefined, ['BTC'], ['BTC', 'ETH']),
  });
  let files = 0;
  await holdLaw(25, fc.array(command, { minLength: 1, maxLength: 6 }), async (commands) => {
    const at = controlFilesOf(join(folder, `${files++}.sqlite`));
    const env = createVirtualEnv({ startTime: 5_000 });
    const stages = new Map<string, (typeof STAGES)[number]>([
      ['one', 'shadow'],
      ['two', 'canary'],
    ]);
    const done: string[] = [];
    const paused = new Map<string, string>();
    const bot = {
      stageOf: (name: string) => stages.get(name)!,
      paused: (name: string) => paused.get(name),
      async pauseStrategy(name: string, reason: string) {
        done.push(`pause ${name} ${reason}`);
        paused.set(name, reason);
      },
      async resumeStrategy(name: string) {
        done.push(`resume ${name}`);
        paused.delete(name);
      },
      promote: async (name: string, wanted: { to: never; reason: string; handOver: string[] }) => {
        done.push(`promote ${name} ${wanted.to} ${wanted.handOver.join()} ${wanted.reason}`);
        stages.set(name, wanted.to);
        return undefined;
      },
    };
    const end = pollStrategyCommands({
      bot: bot as never,
      env,
      files: at,
      instances: ['one', 'two'],
    });
    const expected: string[] = [];
    const held = new Set<string>();
    for (const [index, { move, hand_over, ...asked }] of commands.entries()) {
      const time = 6_000 + index;
      const reason = `reason ${index}`;
      const more = { ...(move && { move }), ...(hand_over && { hand_over }) };
      const from = STAGES.indexOf(stages.get(asked.instance) ?? 'shadow');
      const to = move === 'live' ? 'live' : STAGES[from + (move === 'back' ? -1 : 1)];
      const isRefused = asked.instance === 'none' || (asked.do === 'promote' && to === undefined);
      writeWhole(at.strategy, { time, reason, ...asked, ...more });
      for (let beat = 0; beat < 4; beat++) {
        await new Promise(setImmediate);
        env.queue.advanceTo(env.queue.now() + 500);
      }
      const said = readWhole(at.strategyDone, settled)!;
      expect(said.time).toBe(time);
      expect('refused' in said && said.refused !== undefined).toBe(isRefused);
      if (isRefused) continue;
      const { instance, do: what } = asked;
      if (what === 'pause') expected.push(`pause ${instance} ${reason}`);
      if (what === 'pause') held.add(instance);
      if (what === 'resume') {
        expect(said.done).toBe(held.has(instance) ? undefined : 'not_paused');
        if (held.delete(instance)) expected.push(`resume ${instance}`);
      }
      if (what !== 'promote') continue;
      expected.push(`promote ${instance} ${to} ${(hand_over ?? []).join()} ${reason}`);
      expect(said).toMatchObject({ done: to });
    }
    end();
    expect(done).toEqual(expected);
  });
});
