/** From `low` on, below `high`; versions as numbers. */
type Bounds = readonly [low: number, high: number];

const NONE: Bounds = [Infinity, Infinity];
const TOKEN =
  /^(\^|~>?|>=|<=|>|<|=)?\s*v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;
const VERSION = /^v?(\d+)\.(\d+)\.(\d+)/;

/**
 * Whether a version lies in a range of npm, such as `^0.1.0`, `>=0.1.0 <0.3.0` or `0.1.x || 0.2.x`. Unlike npm, it
 * counts a pre-release as its release: who runs one wants to try plugins with it.
 *
 * @returns undefined for a range in another notation
 */
export function satisfiesRange(version: string, range: string): boolean | undefined {
  const [, ...parts] = VERSION.exec(version) ?? [];
  const alternatives = range.split('||').map(boundsOf);
  if (parts.length === 0 || alternatives.includes(undefined)) return undefined;
  const value = toNumber(parts.map(Number));
  return alternatives.some((all) => all!.every(([low, high]) => value >= low && value < high));
}

/** All of an alternative's bounds must hold. */
function boundsOf(text: string): Bounds[] | undefined {
  const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(text);
  const plain = hyphen === null ? text : `>=${hyphen[1]} <=${hyphen[2]}`;
  // A space may follow the comparator.
  const tokens = plain
    .trim()
    .replaceAll(/([<>=~^])\s+/g, '$1')
    .split(/\s+/);
  const bounds = tokens.map((token) => boundsOfToken(token === '' ? '*' : token));
  return bounds.includes(undefined) ? undefined : (bounds as Bounds[]);
}

function boundsOfToken(token: string): Bounds | undefined {
  const match = TOKEN.exec(token);
  if (match === null) return undefined;
  const [, comparator = '', ...given] = match;
  const open = given.findIndex((part) => part === undefined || /[xX*]/.test(part));
  const known = (open === -1 ? given : given.slice(0, open)).map(Number);
  const low = toNumber(known);
  /** The first version behind all that are meant. */
  const behind = known.length === 0 ? Infinity : next(known, known.length - 1);
  if (comparator === '>=') return [low, Infinity];
  if (comparator === '<') return known.length === 0 ? NONE : [0, low];
  if (comparator === '<=') return [0, behind];
  if (comparator === '>') return known.length === 0 ? NONE : [behind, Infinity];
  if (known.length === 0) return [0, Infinity];
  if (comparator === '^') return [low, next(known, caretPlace(known))];
  if (comparator.startsWith('~')) return [low, next(known, Math.min(1, known.length - 1))];
  return [low, behind];
}

/** The place of the first figure that is not zero may not change; where all are, the last that is given. */
function caretPlace(known: readonly number[]): number {
  const first = known.findIndex((part) => part > 0);
  return first === -1 ? known.length - 1 : first;
}

function next(known: readonly number[], place: number): number {
  return toNumber([...known.slice(0, place), known[place]! + 1]);
}

const toNumber = ([major = 0, minor = 0, patch = 0]: readonly number[]): number =>
  major * 1e10 + minor * 1e5 + patch;
