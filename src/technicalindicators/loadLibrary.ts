import { createRequire } from 'node:module';
import { withCode } from '../contract/index.ts';

/** A streaming class of the library: a value in, a value or nothing out. */
type StreamingClass = new (input: Readonly<Record<string, unknown>>) => {
  nextValue(value: unknown): unknown;
};

/** The bars that a candlestick pattern looks at, as the library takes them. */
export interface Candles {
  readonly open: number[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
}

/** The part of the library that is used here; its own declarations are of an older TypeScript. */
export interface Library {
  readonly [name: `${Uppercase<string>}${string}`]: StreamingClass;
  readonly [name: Lowercase<string>]: (candles: Candles) => unknown;
  readonly FixedSizeLinkedList: StreamingClass;
  getConfig(key: string): unknown;
}

let loaded: Library | undefined;

/**
 * The package `technicalindicators`, an optional peer: only a plugin that uses an indicator of it needs it.
 *
 * @throws Error `TRIMTAB_INDICATOR_LIBRARY` if it is not installed
 */
export function loadLibrary(): Library {
  loaded ??= load();
  return loaded;
}

/**
 * The library has a global setting that rounds intermediate results of some averages, whoever has set it.
 *
 * @throws Error `TRIMTAB_INDICATOR_LIBRARY` while it is set
 */
export function refuseRounding(library: Library): void {
  const precision = library.getConfig('precision');
  if (!precision) return;
  throw withCode(
    'TRIMTAB_INDICATOR_LIBRARY',
    new Error(
      `technicalindicators rounds to ${JSON.stringify(precision)} digits in this whole process. ` +
        "Remove setConfig('precision', …), and round what you show.",
    ),
  );
}

function load(): Library {
  const library = requireLibrary();
  detachRemovedNodes(library);
  return library;
}

function requireLibrary(): Library {
  try {
    return createRequire(import.meta.url)('technicalindicators') as Library;
  } catch (cause) {
    throw withCode(
      'TRIMTAB_INDICATOR_LIBRARY',
      new Error(
        'trimtab/technicalindicators needs the package technicalindicators, which is not installed: ' +
          'npm install technicalindicators@3',
        { cause },
      ),
    );
  }
}

interface Node {
  prev: Node | undefined;
}
interface List {
  _head: Node | undefined;
  shift(): unknown;
}

const MENDED = Symbol.for('trimtab.technicalindicators.detached');

/**
 * A node that a list of the library removes stays referred to by the next one, and so every value that was ever in
 * the list stays in memory. The first node has no use for its predecessor: no method reads it.
 */
function detachRemovedNodes({ FixedSizeLinkedList }: Library): void {
  const list = Object.getPrototypeOf(FixedSizeLinkedList.prototype) as List & { [MENDED]?: true };
  if (list[MENDED] === true) return;
  const shift = list.shift;
  list.shift = function detaching(this: List): unknown {
    const removed = shift.call(this);
    if (this._head !== undefined) this._head.prev = undefined;
    return removed;
  };
  list[MENDED] = true;
}
