import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idsOfTime } from '../../src/journal/sqlite/idsOfTime.ts';

const HOUR = 3_600_000;
/** Steps of a clock, never an hour behind its latest time; and intents that compaction took away. */
const drawn = fc.record({
  steps: fc.array(fc.record({ by: fc.integer({ min: -HOUR, max: HOUR }), isGone: fc.boolean() }), {
    minLength: 5,
    maxLength: 60,
  }),
  since: fc.integer({ min: -HOUR, max: 20 * HOUR }),
  length: fc.integer({ min: 0, max: 10 * HOUR }),
});

test('no intent of a time is outside of its ids, with gaps and a clock that is set back', () => {
  fc.assert(
    fc.property(drawn, ({ steps, since, length }) => {
      const db = new DatabaseSync(':memory:');
      db.exec('CREATE TABLE intents (id INTEGER PRIMARY KEY, opened REAL NOT NULL)');
      const add = db.prepare('INSERT INTO intents VALUES (?, ?)');
      const rows: Array<{ id: number; opened: number }> = [];
      let [opened, latest] = [0, 0];
      for (const [at, { by, isGone }] of steps.entries()) {
        opened = Math.max(opened + by, latest - HOUR + 1);
        latest = Math.max(latest, opened);
        if (isGone) continue;
        rows.push({ id: at + 1, opened });
        add.run(at + 1, opened);
      }
      const until = since + length;
      const { from, before } = idsOfTime(db, { since, until });
      db.close();
      const asked = rows.filter((row) => row.opened >= since && row.opened < until);
      expect(asked.filter(({ id }) => id < from! || id >= before!)).toEqual([]);
      // What lies hours outside is not read.
      const far = rows.filter((row) => row.opened < since - 3 * HOUR);
      expect(far.filter(({ id }) => id >= from!)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
