import type { FieldIssue } from '../../contract/index.ts';
import { ServiceError } from './ServiceError.ts';

/** Whether a text may hold a number that a double does not: one of many digits, or of a large exponent. */
const MAYBE = /\d[\d.]{15}|e[+-]?\d{3}/i;

/**
 * Refuses numbers of a JSON text that would be read as others: what a user sends is never rounded (RULE-1). A number of
 * at most 15 digits is always read as it is written.
 *
 * @param below only numbers inside this field of the document are looked at, and their paths begin in it
 * @throws ServiceError `validation_failed` with each number and its path
 */
export function requireExactNumbers(text: string, below?: string): void {
  if (!MAYBE.test(text)) return;
  const fields = inexactNumbers(text)
    .filter(({ path }) => below === undefined || path[0] === below)
    .map(({ path, literal, read }): FieldIssue => {
      const shown = literal.length > LONGEST ? `${literal.slice(0, LONGEST)}…` : literal;
      const name = (below === undefined ? path : path.slice(1)).join('.');
      const message = `${shown} has more digits than a number of JSON keeps: it would be read as ${read}.`;
      return { path: name, code: 'inexact_number', message };
    });
  if (fields.length === 0) return;
  const message = fields.map((field) => `${field.path}: ${field.message}`).join(' ');
  throw new ServiceError('validation_failed', { message, details: { fields } });
}

const LONGEST = 60;

interface Found {
  path: string[];
  literal: string;
  read: number;
}

/** The text must be JSON: it was parsed before. */
function inexactNumbers(text: string): Found[] {
  const found: Array<{ holder: object; key: string; literal: string; read: number }> = [];
  /** The innermost values are visited first, so that paths are known at the end. */
  const places = new Map<unknown, { holder: object; key: string }>();
  function visit(this: object, key: string, value: unknown, given?: { source?: string }): unknown {
    if (typeof value === 'object' && value !== null) places.set(value, { holder: this, key });
    const literal = given?.source;
    if (typeof value === 'number' && literal !== undefined && !isHeld(literal, value)) {
      found.push({ holder: this, key, literal, read: value });
    }
    return value;
  }
  JSON.parse(text, visit);
  return found.map(({ holder, key, literal, read }) => {
    const path = [key];
    for (let at = places.get(holder); at !== undefined; at = places.get(at.holder))
      path.unshift(at.key);
    // The document itself is held under an empty name.
    return { path: path.slice(1), literal, read };
  });
}

/** The longest text of a double: longer ones are not compared. */
const MOST_DIGITS = 100;

/** Whether a double, written with as many digits as the literal has, is the literal. */
function isHeld(literal: string, read: number): boolean {
  const { digits, power } = significantOf(literal);
  if (digits === '') return true;
  if (!Number.isFinite(read) || read === 0 || digits.length > MOST_DIGITS) return false;
  const held = significantOf(read.toPrecision(digits.length));
  return held.digits === digits && held.power === power;
}

/** Digits without zeros at either end, and the power of ten of the last one. */
function significantOf(literal: string): { digits: string; power: number } {
  const [, whole = '', part = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  const all = (whole + part).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return { digits, power: Number(exponent) - part.length + (all.length - digits.length) };
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
