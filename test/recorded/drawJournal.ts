import type { Random } from '../../src/env/index.ts';
import {
  INTENT_STATES,
  isLegalTransition,
  type IntentState,
  type JournalReader,
  type JournalStore,
} from '../../src/journal/index.ts';
import { pick } from '../simulation/Scenario.ts';
import { laterLine, lineOf } from './answerLine.ts';

const KEYS = 14;
const INSTANCES = ['ema', 'other'] as const;
const WALLETS = ['main', 'sub'] as const;
const KINDS = ['launch', 'create_monitor', 'create_monitor', 'place_order'] as const;
const LATCHES = ['kill', 'pause ema', 'a quarantine'] as const;
const FACTS = ['account', 'x'] as const;
/** What a database can't hold as it is, and what a statement must not take for its own. */
const TEXTS = ['', 'plain', "it's; --", 'nul \0 half \ud83d', 'ü 🪝', '{"a":1}'] as const;

const keyOf = (number: number): string => `k${number}`;
const ALL = Array.from({ length: KEYS }, (_none, at) => keyOf(at));

export interface JournalWalk {
  /** Does so many drawn things to a journal, and notes down what it answered to each. */
  walk(store: JournalStore, steps: number): Promise<void>;
}

/** What is drawn goes on over several openings of a journal. */
export function createJournalWalk(random: Random, note: (line: string) => void): JournalWalk {
  let time = 1_000;
  let decisions = 0;
  const draw = (below: number): number => Math.floor(random.next() * below);

  function rowOf(key: string) {
    const again = random.next() < 0.15 && decisions > 0;
    const decision = again ? draw(decisions) : decisions++;
    return {
      key,
      decisionKey: `decision ${decision}`,
      generation: random.next() < 0.2 ? 1 : 0,
      instance: pick(random, INSTANCES),
      wallet: pick(random, WALLETS),
      kind: pick(random, KINDS),
      intent: lineOf({ note: pick(random, TEXTS) }),
    };
  }

  function stepOf(key: string, state: IntentState) {
    const record = { monitor_id: `mon ${key}` };
    const data =
      state === 'accepted' ? lineOf({ record }) : lineOf({ reason: pick(random, TEXTS) });
    return { key, state, wallTime: time, marketTime: time * 2 + 0.5, data };
  }

  /** A state that may follow: the store trusts its journal with that. */
  function next(from: IntentState | undefined): IntentState | undefined {
    const legal = INTENT_STATES.filter((state) => isLegalTransition(from, state));
    return legal.length === 0 ? undefined : pick(random, legal);
  }

  /** A further step of an intent, known or not. */
  function furtherOf(store: JournalStore, key: string) {
    const state = next(store.stateOf(key) ?? 'emitted');
    return state === undefined ? [] : [stepOf(key, state)];
  }

  /** Each act draws all that it needs first, so that the same follows whatever a store answers. */
  const acts: ReadonlyArray<(store: JournalStore) => [string, () => unknown]> = [
    ...Array.from({ length: 5 }, () => (store: JournalStore): [string, () => unknown] => {
      const row = rowOf(keyOf(draw(KEYS)));
      const entries = [stepOf(row.key, 'emitted')];
      for (let more = draw(3); more > 0; more--) {
        const state = next(entries.at(-1)!.state);
        if (state !== undefined) entries.push(stepOf(row.key, state));
      }
      const other = keyOf(draw(KEYS));
      if (other !== row.key && random.next() < 0.2) entries.unshift(...furtherOf(store, other));
      return [`open ${row.key}`, () => store.append({ intent: row, entries })];
    }),
    ...Array.from({ length: 6 }, () => (store: JournalStore): [string, () => unknown] => {
      const key = keyOf(draw(KEYS));
      const entries = furtherOf(store, key);
      // What is over has no further step.
      const act = (): unknown => (entries.length === 0 ? undefined : store.append({ entries }));
      return [`step ${key} ${entries[0]?.state}`, act];
    }),
    (store) => {
      const [name, value, reason] = [pick(random, LATCHES), pick(random, TEXTS), `at ${time}`];
      const latch = { value, reason, time: time + 0.5 };
      return [`latch ${name}`, () => store.setLatch(name, latch)];
    },
    (store) => {
      const [key, value] = [pick(random, FACTS), pick(random, TEXTS)];
      return [`fact ${key}`, () => store.setMeta(key, value)];
    },
    (store) => {
      const [instance, state] = [pick(random, INSTANCES), pick(random, TEXTS)];
      return [`state ${instance}`, () => store.writeState(instance, state)];
    },
    (store) => {
      const olderThan = time - draw(60);
      const limit = 1 + draw(4);
      return [`compact ${olderThan} ${limit}`, () => store.compact({ olderThan, limit })];
    },
    (store) => ['checkpoint', () => store.checkpoint?.()],
  ];

  return {
    async walk(store, steps) {
      for (let at = 0; at < steps; at++) {
        time += draw(12);
        const [what, act] = pick(random, acts)(store);
        note(`${what}: ${await laterLine(act)}`);
        if (at % 8 === 7) await readStore(store, note);
      }
      await readStore(store, note);
    },
  };
}

/** All that a bot can read of its journal. */
export async function readStore(store: JournalStore, note: (line: string) => void): Promise<void> {
  const read = async (name: string, act: () => unknown): Promise<void> =>
    note(`${name}: ${await laterLine(act)}`);
  await read('learn', () => store.learn?.(['k0', 'k5', 'never']));
  await read('held', () => ALL.map((key) => [store.holds(key), store.stateOf(key)]));
  await read('keys', () => ALL.map((key) => store.intent(key)?.decisionKey));
  await read('intents', () => store.intents());
  await read('open', () => store.openIntents().map(({ key, state }) => [key, state]));
  await read('newest', () => Array.from(store.newestIntents(), ({ key }) => key));
  await read('standing', () => store.standingIntents().map(({ key }) => key));
  for (const key of ALL) await read(`steps of ${key}`, () => store.entries(key));
  await read('latches', () => [store.latches(), LATCHES.map((name) => store.latch(name))]);
  await read('facts', () => FACTS.map((key) => store.meta(key)));
  await read('states', () => INSTANCES.map((instance) => store.readState(instance)));
}

/** All that an operator can read of a journal; what names the writing process is left out. */
export async function readJournal(
  reader: JournalReader,
  note: (line: string) => void,
): Promise<void> {
  const read = async (name: string, act: () => unknown): Promise<void> =>
    note(`${name}: ${await laterLine(act)}`);
  const filters = [
    {},
    { states: ['accepted', 'denied'] as const },
    { states: ['guarded'] as const, wallet: 'main' },
    { instance: 'ema' },
    { wallet: 'sub' },
    { kind: 'create_monitor' },
    { since: 1_050 },
    { until: 1_100 },
    { since: 1_040, until: 1_200, instance: 'other' },
    { since: 9_999_999 },
  ];
  for (const filter of filters) {
    for (const limit of [2, 100]) {
      await read(`find ${lineOf(filter)} ${limit}`, async () => {
        const pages: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = await reader.find({
            ...filter,
            limit,
            ...(cursor === undefined ? {} : { cursor }),
          });
          pages.push(limit > 2 ? page : [page.items.map(({ key }) => key), page.next]);
          cursor = page.next ?? undefined;
        } while (cursor !== undefined && pages.length < 20);
        return pages;
      });
    }
  }
  for (const prefix of ['k', 'k1', 'x', '']) {
    await read(`keys like ${prefix}`, () => reader.keysLike(prefix, 3));
  }
  for (const key of [...ALL.slice(0, 8), 'never'])
    await read(`life of ${key}`, () => reader.life(key));
  // A database answers these in any order.
  for (const keys of [[...ALL, 'mon k1', 'mon k3', 'never'], ['never'], []])
    await read('held', async () => [...(await reader.held(keys))].toSorted());
  await read('latches', () => reader.latchChanges());
  await read('facts', async () => {
    const { writer: _writer, ...facts } = await reader.facts();
    return facts;
  });
  await read('lives', async () => {
    const keys: unknown[] = [];
    for await (const { intent, entries } of reader.lives()) {
      keys.push([intent.key, intent.state, entries.map(({ state }) => state)]);
    }
    return keys;
  });
  await read('problems', async () => (await reader.problems()).toSorted());
  await read('retired', async () => [await reader.retired(), await reader.hasRetired()]);
}
