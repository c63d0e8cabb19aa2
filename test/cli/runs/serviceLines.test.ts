/** What a bot on a service says of what it found at its start, and of what it leaves at its end: every part, alone too. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommandFailure } from '../../../src/cli/failures/CommandFailure.ts';
import { describeFound } from '../../../src/cli/runs/describeFound.ts';
import { refuseRemains } from '../../../src/cli/runs/refuseRemains.ts';
import { holdLaw } from '../../holdLaw.ts';

const some = (name: string) => fc.subarray([`${name} one`, `${name} two`]);

test('each line that a start found is said once, in its place', async () => {
  const drawn = fc.record({
    lines: some('line'),
    holds: some('hold'),
    unheeded: some('unheeded'),
    former: some('former'),
  });
  await holdLaw(100, drawn, (found) => {
    const { lines, holds, unheeded, former } = found;
    const wanted = [
      `bot found open:${lines.length === 0 ? ' nothing' : ''}`,
      ...lines.map((line) => `  ${line}`),
      ...unheeded.map((text) => `bot: ${text}`),
      ...former.map((text) => `bot: ${text}`),
      ...holds.map((hold) => `bot adds no exposure: ${hold}`),
    ];
    expect(describeFound('bot', found)).toBe(`${wanted.join('\n')}\n`);
  });
});

test('whatever a stop leaves open ends the command with 4, and with how much of each', async () => {
  const drawn = fc.record({
    unended: some('order'),
    unknowns: some('intent'),
    waiting: some('exit'),
  });
  await holdLaw(100, drawn, ({ unended, unknowns, waiting }) => {
    const parts = [
      unended.length > 0 && `${unended.length} not ended or not confirmed`,
      unknowns.length > 0 && `${unknowns.length} sent without an answer`,
      waiting.length > 0 && `${waiting.length} exit${waiting.length === 1 ? '' : 's'} not sent`,
    ].filter((part) => part !== false);
    const end = (): void => refuseRemains('bot', { unended, unknowns, waiting } as never);
    if (parts.length === 0) return end();
    let thrown: unknown;
    try {
      end();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CommandFailure);
    expect(thrown).toMatchObject({ code: 'TRIMTAB_BOT_UNENDED', exitCode: 4 });
    expect((thrown as Error).message).toContain(`leaves open: ${parts.join(', ')};`);
  });
});
