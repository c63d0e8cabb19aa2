import { of } from 'rxjs';
import { test } from 'vitest';
import { checkIntent, intentSchemaOf } from '../../src/intents/checkIntent.ts';
import {
  effectOf,
  INTENT_KINDS,
  needsOf,
  symbolOf,
  toBodyText,
  toServiceRequest,
  type Intent,
} from '../../src/intents/index.ts';
import { rowsOf } from '../../src/intents/rowsOf.ts';
import { targetMadeBy } from '../../src/intents/targetMadeBy.ts';
import { targetRefOf } from '../../src/intents/targetRefOf.ts';
import { openedBy } from '../../src/runtime/pipe/openedBy.ts';
import { explainChange } from '../../src/runtime/pipe/explainChange.ts';
import { explainRefusal } from '../../src/runtime/pipe/explainRefusal.ts';
import { laneOf } from '../../src/runtime/pipe/laneOf.ts';
import { toGuardedIntent } from '../../src/runtime/pipe/toGuardedIntent.ts';
import type { PipeEvent } from '../../src/runtime/PipeEvent.ts';
import type { ServiceFault } from '../../src/contract/index.ts';
import { SAMPLES } from '../intents/samples.ts';
import { emission } from '../runtime/setUpPipe.ts';
import { answerLine, lineOf } from './answerLine.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

/** What a plugin in plain JavaScript may write in place of any field; undefined takes it out. */
const OTHERS: readonly unknown[] = [
  undefined,
  null,
  Number.NaN,
  Infinity,
  -1,
  0,
  59,
  1e-7,
  '',
  'BTC',
  'mine/no',
  true,
  [],
  {},
  { ref: 'mine' },
];
const METAS: readonly object[] = [
  { ref: 'mine' },
  { ref: 'no/slash' },
  { decision: 'again' },
  { decision: '#' },
  { not_after: 1_700_000_000_000 },
  { not_after: 'soon' },
  { via: 'socket' },
  { via: 'rest' },
  { via: 'mail' },
  { unknown: 1 },
];

/** The intent with each of its fields replaced by each other value, at whatever depth. */
function* spoiled(intent: unknown): Generator<[path: string, intent: unknown]> {
  const paths = pathsOf(intent, []);
  for (const path of paths) {
    for (const [at, other] of OTHERS.entries()) {
      yield [`${path.join('.')} other ${at}`, withOther(intent, path, other)];
    }
  }
  for (const path of [[], ...paths]) {
    yield [`${path.join('.')} has more`, withOther(intent, [...path, 'more'], 1)];
  }
}

function pathsOf(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    [...path, name],
    ...pathsOf(one, [...path, name]),
  ]);
}

function withOther(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  if (rest.length === 0 && other === undefined) delete copy[name];
  else copy[name] = withOther(copy[name], rest, other);
  return copy;
}

/** What a check says, and what the intent means to guards and service if it passes. */
function meaningOf(intent: unknown): string {
  const checked = checkIntent(intent);
  if (!checked.ok) return lineOf(checked.fault);
  const taken = intent as Intent;
  const effect = effectOf(taken);
  const changes = [
    undefined,
    { symbol: 'ETH', side: 'sell', size: 3, price: 9, reduce_only: false },
  ];
  return [
    answerLine(() => [effect, needsOf(taken), laneOf(effect), toGuardedIntent(taken, effect)]),
    answerLine(() => [symbolOf(taken), targetMadeBy(taken), targetRefOf(taken)]),
    answerLine(() => changes.map((changed) => openedBy(taken, effect, changed as never))),
    ...[undefined, 'sub'].map((wallet) =>
      answerLine(() => {
        const made = toServiceRequest(taken, {
          idempotencyKey: 'key',
          resolve: (kind, ref) => (wallet === undefined ? `${kind} of ${ref}` : undefined),
          ...(wallet === undefined ? {} : { wallet }),
        });
        return made.ok ? [made.request, made.request.body] : made;
      }),
    ),
  ].join(' ');
}

const offGrid = (path: string, code: string) =>
  ({
    code: 'validation_failed',
    message: `${path} is wrong`,
    details: { fields: [{ path, code, message: 'not on the grid' }] },
  }) as unknown as ServiceFault;

/** What a service may answer to an intent; undefined where a guard denies it. */
const FAULTS: ReadonlyArray<ServiceFault | undefined> = [
  undefined,
  { code: 'not_found', message: 'no such order' },
  { code: 'below_order_minimum', message: 'too small', details: { minimum: 10 } },
  { code: 'below_order_minimum', message: 'too small', details: { minimum: 11, leg: 'stop_loss' } },
  { code: 'below_algo_minimum', message: 'below 100', details: { minimum: 100, value: 7.5 } },
  {
    code: 'not_found',
    message: 'order_id is unknown',
    details: {
      a: 'x'.repeat(80),
      b: 2,
      c: true,
      d: 'order id',
      e: 5,
      f: 6,
      g: 7,
      h: 8,
      i: 'unknown',
    },
  },
  ...['total_size', 'size', 'price', 'params.limit_price', 'sweep_limit_bps', 'symbol'].flatMap(
    (path) => [
      offGrid(path, 'price_grid'),
      offGrid(path, 'too_small'),
      offGrid(path, 'size_decimals'),
    ],
  ),
] as ReadonlyArray<ServiceFault | undefined>;

/** The reason of a denial or rejection, as strategies and operators read it. */
function refusalLine(intent: Intent, fault: ServiceFault | undefined): string {
  const state = fault === undefined ? 'denied' : 'rejected';
  const event = { state, fault, reason: 'a reason', emission: emission('one', intent) };
  const instrument = { tick_size: 0.5, size_decimals: 3, max_price_decimals: 2, price_sig_figs: 5 };
  const minima = { min_order_value: 10, algo_min_value: 100 };
  const changed = explainChange(event as unknown as PipeEvent, (symbol) =>
    symbol === 'ETH' ? undefined : ({ symbol, ...instrument, ...minima } as never),
  );
  return lineOf([changed.reason, explainRefusal(changed).reason]);
}

// Each kind of intent as it may be written: the fault that names a field, or what it adds, needs and sends.
test('each intent means what it meant before, and each wrong one is refused as before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const [at, sample] of SAMPLES.entries()) {
    const lines = [`as it is: ${meaningOf(sample)}`];
    for (const meta of METAS) lines.push(`${lineOf(meta)}: ${meaningOf({ ...sample, ...meta })}`);
    const refused: string[] = [];
    for (const [path, intent] of spoiled(sample)) {
      const meaning = meaningOf(intent);
      (meaning.startsWith('{"code"') ? refused : lines).push(`${path}: ${meaning}`);
    }
    const sections = [
      ['taken', lines],
      ['refused', refused],
    ] as const;
    outcomes.set(`${at} ${sample.kind}`, new Map(sections));
  }
  const strays = [
    undefined,
    null,
    7,
    'buy',
    '',
    true,
    [],
    [1, 2],
    {},
    new Map(),
    Symbol.iterator,
    () => 1,
    Promise.resolve(1),
    of(1),
    { kind: 'buy' },
    { kind: 7 },
    { kind: 'toString' },
  ];
  outcomes.set(
    'strays',
    new Map([
      ['refused', strays.map((stray) => answerLine(() => checkIntent(stray)))],
      [
        'kinds',
        INTENT_KINDS.map(
          (kind) => `${kind} ${answerLine(() => intentSchemaOf({ kind }) !== undefined)}`,
        ),
      ],
      [
        'minimum',
        [30, 60, 300].flatMap((least) => SAMPLES.map((one) => lineOf(checkIntent(one, least)))),
      ],
      [
        'texts',
        [...OTHERS, [1, [2]], { a: undefined, b: 1e21 }, () => 1].map((one) =>
          answerLine(() => toBodyText(one)),
        ),
      ],
      [
        'rows',
        [...OTHERS, ...SAMPLES.map((one) => 'request' in one && one.request)].map((one) =>
          lineOf(rowsOf(one)),
        ),
      ],
      ['refusals', SAMPLES.flatMap((one) => FAULTS.map((fault) => refusalLine(one, fault)))],
    ]),
  );
  await expectRecorded('intents', outcomes);
}, 120_000);
