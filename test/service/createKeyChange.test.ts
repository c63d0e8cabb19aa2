import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/index.ts';
import { createKeyChange } from '../../src/service/createKeyChange.ts';

/** What happens in which order when a key is replaced, however that ends. */

const NEXT = { keyId: 'vk_2', secret: 's' };

function open({ refused = false, isStreamRefused = false, changeFails = false } = {}) {
  const reported: string[] = [];
  const report = (what: string) => (): void => void reported.push(what);
  const signer = { keyId: 'vk_1', change: report('signed with the next') };
  const key = createKeyChange({
    env: createVirtualEnv(),
    signer: signer as never,
    gate: {
      close: report('held'),
      open: report('let go'),
      drained: async () => void reported.push('answered'),
      get inFlight() {
        return reported.includes('answered') ? 1 : 2;
      },
    } as never,
    socket: {
      prepare: async () => {
        reported.push('stream asked');
        return isStreamRefused ? { refused: '403' } : { use: report('stream used') };
      },
    } as never,
    signerOf: () => ({}) as never,
    clientOf: () => ({
      client: {} as never,
      close: async () => void reported.push('client closed'),
    }),
  });
  const ended = key
    .change(
      NEXT,
      async () => {
        reported.push('checked');
        if (refused) throw new Error('unfit');
      },
      (unanswered) => {
        reported.push(`changed, ${unanswered} unanswered`);
        if (changeFails) throw new Error('not recorded');
      },
    )
    .then(
      ({ kind }) => kind,
      (error: Error) => error.message,
    );
  return { reported, ended };
}

const CHECK = ['checked', 'client closed'];
const CHANGE = ['held', 'answered', 'signed with the next', 'changed, 1 unanswered'];

test.each([
  [
    'that the service takes',
    {},
    'changed',
    [...CHECK, 'stream asked', ...CHANGE, 'stream used', 'let go'],
  ],
  ['that is unfit', { refused: true }, 'unfit', CHECK],
  ['whose stream is refused', { isStreamRefused: true }, 'refused', [...CHECK, 'stream asked']],
  [
    'that can’t be recorded',
    { changeFails: true },
    'not recorded',
    [...CHECK, 'stream asked', ...CHANGE, 'let go'],
  ],
] as const)(
  'a key %s leaves no client of its check open, and nothing held',
  async (_what, how, kind, steps) => {
    const { reported, ended } = open(how);
    expect(await ended).toBe(kind);
    expect(reported).toEqual(steps);
  },
);
