import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/index.ts';
import { createKeyChange } from '../../src/service/createKeyChange.ts';

/** What happens in which order when a key is replaced, however that ends. */

const NEXT = { keyId: 'vk_2', secret: 's' };

function open({ refused = false, isStreamRefused = false, changeFails = false } = {}) {
  const told: string[] = [];
  const tell = (what: string) => (): void => void told.push(what);
  const signer = { keyId: 'vk_1', change: tell('signed with the next') };
  const key = createKeyChange({
    env: createVirtualEnv(),
    signer: signer as never,
    gate: {
      close: tell('held'),
      open: tell('let go'),
      drained: async () => void told.push('answered'),
      get inFlight() {
        return told.includes('answered') ? 1 : 2;
      },
    } as never,
    socket: {
      prepare: async () => {
        told.push('stream asked');
        return isStreamRefused ? { refused: '403' } : { use: tell('stream used') };
      },
    } as never,
    signerOf: () => ({}) as never,
    clientOf: () => ({ client: {} as never, close: async () => void told.push('client closed') }),
  });
  const ended = key
    .change(
      NEXT,
      async () => {
        told.push('checked');
        if (refused) throw new Error('unfit');
      },
      (unanswered) => {
        told.push(`changed, ${unanswered} unanswered`);
        if (changeFails) throw new Error('not recorded');
      },
    )
    .then(
      ({ kind }) => kind,
      (error: Error) => error.message,
    );
  return { told, ended };
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
    const { told, ended } = open(how);
    expect(await ended).toBe(kind);
    expect(told).toEqual(steps);
  },
);
