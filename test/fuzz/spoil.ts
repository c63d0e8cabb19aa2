import type { Draw } from './Draw.ts';
import { Pairs, RawJson } from './encodeJson.ts';
import type { ShapedRequest } from './ShapedRequest.ts';

type Tree = Record<string, unknown>;
type Place = readonly [holder: Tree | unknown[], name: string | number];

/** Names that an unguarded property lookup finds on every object. */
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

/** Changes one thing about a request, and returns what. */
export function spoil(request: ShapedRequest, draw: Draw): string {
  const inBody = typeof request.body === 'object' && request.body !== null;
  const parts = ['body', 'body', 'body', 'query', 'pathParams'] as const;
  const usable = parts.filter((part) =>
    part === 'body' ? inBody : Object.keys(request[part]).length > 0 || part === 'query',
  );
  const part = draw.pick(usable);
  if (draw.chance(0.08)) return replaceWhole(request, part, draw);
  const places = placesIn(request[part] as Tree);
  if (places.length === 0 || draw.chance(0.25)) return spoilObject(request, part, draw);
  const [holder, name] = draw.pick(places);
  const slot = holder as Tree;
  const [how, value] = spoilValue(slot[name], draw);
  slot[name] = value;
  return `${part}.${name}: ${how}`;
}

/** Every path of a tree that holds a value. */
function placesIn(tree: unknown, found: Place[] = []): Place[] {
  if (typeof tree !== 'object' || tree === null) return found;
  const names = Array.isArray(tree) ? [...tree.keys()] : Object.keys(tree);
  for (const name of names) {
    found.push([tree as Tree, name]);
    placesIn((tree as Tree)[name], found);
  }
  return found;
}

function replaceWhole(request: ShapedRequest, part: 'body' | 'query' | 'pathParams', draw: Draw) {
  if (part === 'body') {
    request.body = draw.pick([null, [], 'text', 0, true, {}, [request.body], new RawJson('')]);
    return 'body: replaced';
  }
  request[part] = Object.fromEntries(
    Object.entries(request[part]).map(([name]) => [name, draw.pick(TEXTS)]),
  );
  return `${part}: replaced`;
}

/** A field too many, too few, twice, or under another name; in any object of the tree. */
function spoilObject(
  request: ShapedRequest,
  part: 'body' | 'query' | 'pathParams',
  draw: Draw,
): string {
  const root = request[part] as Tree;
  const objects = [root, ...placesIn(root).map(([holder, name]) => (holder as Tree)[name])].filter(
    (each): each is Tree => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
  const target = draw.pick(objects);
  const names = Object.keys(target);
  const name = names.length > 0 ? draw.pick(names) : null;
  const way = part === 'pathParams' ? 'rename' : draw.pick(['extra', 'missing', 'twice', 'rename']);
  if (way === 'missing' && name !== null) {
    delete target[name];
    return `${part}: without ${name}`;
  }
  if (way === 'twice' && name !== null && part === 'body') {
    const pairs = Object.entries(target).map(([key, value]) => [key, value] as const);
    const double = new Pairs([...pairs, [name, draw.pick(SMALL_VALUES)]]);
    replace(request, target, double);
    return `${part}: ${name} twice`;
  }
  if (way === 'rename' && name !== null && part !== 'pathParams') {
    const value = target[name];
    delete target[name];
    target[name.toUpperCase()] = value;
    return `${part}: ${name} in capitals`;
  }
  const extra = draw.pick([...PROTOTYPE_NAMES, 'zzz', 'wallet', '', ' ', 'símbolo', 'a.b', '0']);
  Object.defineProperty(target, extra, {
    value: draw.pick(SMALL_VALUES),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return `${part}: extra ${JSON.stringify(extra)}`;
}

function replace(request: ShapedRequest, target: Tree, by: unknown): void {
  if (request.body === target) {
    request.body = by;
    return;
  }
  for (const [holder, name] of placesIn(request.body)) {
    if ((holder as Tree)[name] === target) (holder as Tree)[name] = by;
  }
}

const SMALL_VALUES: readonly unknown[] = [null, 0, 1, '', 'x', true, [], {}, { a: 1 }];

const TEXTS: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '%',
  '%2F',
  '../../x',
  'NaN',
  'Infinity',
  '1e5',
  '-1',
  '0x10',
  'null',
  'true',
  '\u0000',
  '\ud800',
  '\u202e',
  '💥',
  'A\u0300',
  "' OR 1=1 --",
  '<script>',
  '{{price}}',
  '__proto__',
  'constructor',
  'client:',
  'client:__proto__',
  'x'.repeat(300),
  'é'.repeat(5_000),
];

/** Numbers valid in JSON that may break arithmetic or rounding to a tick. */
const NUMBERS: readonly unknown[] = [
  0,
  -1,
  1e-7,
  5e-324,
  1e21,
  1e308,
  -1e308,
  2 ** 53 + 2,
  0.1 + 0.2,
  1_735_689_600_000.5,
  new RawJson('1e400'),
  new RawJson('-0'),
  new RawJson('1.0'),
  new RawJson('1E2'),
  new RawJson('NaN'),
  new RawJson('01'),
  new RawJson('+1'),
  new RawJson('.5'),
];

function spoilValue(value: unknown, draw: Draw): [how: string, value: unknown] {
  const ways: Array<() => [string, unknown]> = [
    () => ['null', null],
    () => ['a text', draw.pick(TEXTS)],
    () => ['a number', draw.pick(NUMBERS)],
    () => ['a list of it', [value]],
    () => ['an object', draw.pick([{}, { value }, { __proto__: null, length: 1e9 }])],
    () => ['another type', typeof value === 'string' ? 7 : JSON.stringify(value)],
    () => ['deeply nested', nested(draw.pick([5, 60, 70, 2_000]), draw.chance(0.5))],
  ];
  if (typeof value === 'number') {
    ways.push(
      () => ['one more', value + 1],
      () => ['one less', value - 1],
      () => ['a hair more', value * (1 + 1e-9)],
      () => ['of another sign', -value],
      () => ['of another magnitude', value * 10 ** draw.int(-12, 12)],
      () => [
        'at its bound',
        draw.pick([0, 1, 60, 86_400, 86_401, 500, 501, 5_000, 10_000, 10_001]),
      ],
    );
  }
  if (typeof value === 'string') {
    ways.push(
      () => ['in capitals', value.toUpperCase()],
      () => ['with a blank', ` ${value}`],
      () => ['long', value.repeat(draw.int(10, 3_000)).slice(0, 60_000)],
      () => ['cut', value.slice(0, -1)],
      () => ['with a zero byte', `${value}\u0000`],
    );
  }
  return draw.pick(ways)();
}

/** Nested lists or objects as text: building them would recurse as deeply. */
function nested(depth: number, asLists: boolean): RawJson {
  const [open, close] = asLists ? ['[', ']'] : ['{"a":', '}'];
  return new RawJson(open.repeat(depth) + (asLists ? '' : '1') + close.repeat(depth));
}
