import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { rotated } from '../tiers.ts';
import { createSweepProject } from './sweepProject.ts';
import { batch, EXAMPLES, job, mergeCommand, script, workflow } from './sweepExamples.ts';

const project = createSweepProject();
afterAll(() => project.remove());

describe('the examples of deploy/sweep', () => {
  test('ask for as many shards as they start', () => {
    const { spec } = job;
    expect([spec.completionMode, spec.completions]).toEqual(['Indexed', spec.parallelism]);
    for (const { file, shards, shard } of EXAMPLES) {
      const { command, env } = shard(1);
      const written = [...command.matchAll(/(?:SHARDS=|--shard \S+\/)(\d+)/g)].map(([, n]) => n);
      expect(env['SHARDS'] ?? written[0], file).toBe(String(shards));
    }
    expect(script).toContain('--shard {}/16');
    expect(script).toContain('::: {1..16}');
    expect(workflow.jobs.merge.needs).toBe('shard');
    expect(batch.startsWith('#!/bin/bash\n')).toBe(true);
  });

  test.each(rotated(EXAMPLES, 1))(
    '$file computes the share of its number, as its scheduler starts it',
    { timeout: 240_000 },
    async ({ shards, shard }) => {
      rmSync(join(project.folder, 'part-2.sqlite'), { force: true });
      const { command, env } = shard(2);
      // Of the grid a corner, which is enough for every shard to have a point.
      const small = command
        .replace('first.fast=5..50:5', 'first.fast=5..8')
        .replace('first.slow=60..240:20', 'first.slow=60..180:30');
      expect(small).not.toBe(command);
      const { code, out, err } = await project.run(small, env);
      expect([code, err]).toEqual([0, expect.stringContaining('points')]);
      expect(out).toContain(`shard 2/${shards} of 20 points: `);
      const db = new DatabaseSync(join(project.folder, 'part-2.sqlite'), { readOnly: true });
      const row = db.prepare('SELECT shard, (SELECT count(*) FROM points) AS n FROM sweep').get();
      db.close();
      expect(row).toMatchObject({ shard: `2/${shards}`, n: expect.any(Number) });
      // The merge of the workflow understands what there is, and names what is missing.
      const merged = await project.run(mergeCommand);
      expect([merged.code, merged.err]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(`of 20 points are missing: shard 1/${shards}, of which there is no file`),
        ),
      ]);
    },
  );
});
