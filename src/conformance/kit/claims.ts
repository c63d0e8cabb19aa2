import type { z } from 'zod';
import { endpointSpec } from '../../contract/index.ts';
import { codeOf, type Answer, type Json } from './Answer.ts';
import { Difference, show } from './Difference.ts';

/** The claims from which checks are built; each throws a Difference if it fails. */

export function that(isSo: boolean, expected: string, got: unknown): asserts isSo {
  if (!isSo) throw new Difference(expected, got);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  if (isSame(actual, expected)) return;
  throw new Difference(`${what} to be ${show(expected)}`, actual);
}

/** Equal up to a share of the expected value (default 1e-9), for sums of floating-point numbers. */
export function near(actual: unknown, expected: number, what: string, share = 1e-9): void {
  const reach = Math.max(Math.abs(expected), 1e-6) * share;
  const isNear = typeof actual === 'number' && Math.abs(actual - expected) <= reach;
  if (!isNear) throw new Difference(`${what} to be ${expected}`, actual);
}

/** A success with the table's status and the contract's shape; returns the record. */
export function accepted(answer: Answer, what = 'the request'): Json {
  const { endpoint, status, body } = answer;
  const wanted = endpoint === undefined ? 200 : endpointSpec(endpoint).success;
  that(status === wanted, `${what} to be accepted (${wanted})`, `${status} ${show(body)}`);
  if (endpoint !== undefined)
    shaped(endpointSpec(endpoint).response, body, `the answer to ${what}`);
  return body;
}

/** A refusal of this status and code in the error envelope; returns its details. */
export function refused(answer: Answer, status: number, code: string, what = 'the request'): Json {
  const isSo = answer.status === status && codeOf(answer) === code;
  that(isSo, `${what} to be refused: ${status} ${code}`, `${answer.status} ${show(answer.body)}`);
  return answer.body.error.details ?? {};
}

/** A per-field refusal (RULE-2) that names this dotted path. */
export function refusedField(answer: Answer, path: string): void {
  const details = refused(answer, 422, 'validation_failed', `the request with a bad ${path}`);
  const paths = (details.fields ?? []).map((field: Json) => field.path);
  that(paths.includes(path), `details.fields to name ${path}`, details);
}

export function shaped(schema: z.ZodType, value: unknown, what: string): void {
  const parsed = schema.safeParse(value);
  if (parsed.success) return;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Difference(`${what} in the contract's shape (${faults.join('; ')})`, value);
}

/** Structural equality of JSON values; the order of keys doesn't count. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame((a as Json)[key], (b as Json)[key]))
  );
}
