import type { z } from 'zod';
import { compileShape, pathToProto, UNSURE, type ReadShape } from './compileShape.ts';
import { ERROR_CODES, isErrorCode, type ErrorCode } from './errorCodes.ts';
import type { FieldIssue } from './errorEnvelope.ts';
import { knownFields, meantField } from './knownFields.ts';
import { issueText } from './showValue.ts';

/** The fault of a shape check: the service's code and its details. */
export interface ShapeFault {
  code: ErrorCode;
  message: string;
  details: { fields: FieldIssue[] };
}

export type ShapeResult<T> = { ok: true; value: T } | { ok: false; fault: ShapeFault };

type Refinement = Pick<z.RefinementCtx, 'addIssue'>;

/**
 * Adds a fault to a refinement. `code` is either one of the service's own codes, which then becomes
 * the answer's code, or a short word for a field of `validation_failed`.
 */
export function addFault(
  ctx: Refinement,
  path: ReadonlyArray<string | number>,
  code: string,
  message: string,
): void {
  ctx.addIssue({ code: 'custom', path: [...path], message, params: { code } });
}

function toFieldIssues(schema: z.ZodType, issue: z.core.$ZodIssue, input: unknown): FieldIssue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = knownFields(schema, issue.path);
    return issue.keys.map((key) => unknownField([...path, key], known));
  }
  const named =
    issue.code === 'custom' ? (issue.params?.['code'] as string | undefined) : undefined;
  return [{ path: path.join('.'), code: named ?? issue.code, message: wordsOf(issue, input) }];
}

/** For NaN the message names its cause, a computation: zod's own message suggests a wrong type. */
function wordsOf(issue: z.core.$ZodIssue, input: unknown): string {
  // Messages of our own say what they have to.
  if (issue.code === 'custom') return issue.message;
  if (!issue.message.endsWith('expected number, received NaN')) return issueText(issue, input);
  return 'It is NaN, which is not a number: something that it is computed from has no value yet, or divides by zero.';
}

function unknownField(path: readonly string[], known: readonly string[] = []): FieldIssue {
  const key = path.at(-1)!;
  const message = `Unknown field \`${key}\`.${meantField(key, known)}`;
  return { path: path.join('.'), code: 'unknown_field', message };
}

/**
 * Checks a value's shape and translates zod's findings into the service's vocabulary (RULE-2): the first
 * finding that has a code of its own names the response, everything else is `validation_failed`. The
 * value is returned unchanged (RULE-1): request schemas neither default nor transform.
 *
 * ```ts
 * const shape = z.object({ size: z.number().positive() });
 * checkShape(shape, { size: 1 }).ok; // => true
 * checkShape(shape, { size: -1 }).ok; // => false
 * ```
 */
export function checkShape<T>(schema: z.ZodType<T>, input: unknown): ShapeResult<T> {
  const value = readShape(schema, input);
  return value === UNSURE ? askSchema(schema, input) : { ok: true, value: value as T };
}

const readers = new WeakMap<z.ZodType, ReadShape>();

function readShape(schema: z.ZodType, input: unknown): unknown {
  let read = readers.get(schema);
  if (read === undefined) {
    read = compileShape(schema);
    readers.set(schema, read);
  }
  return read(input);
}

/** Like {@link checkShape}, by the schema itself: only it can report a value's fault. */
export function askSchema<T>(schema: z.ZodType<T>, input: unknown): ShapeResult<T> {
  const parsed = schema.safeParse(input, { reportInput: false });
  const unseen = parsed.success ? pathToProto(input) : null;
  if (parsed.success && unseen === null) return { ok: true, value: parsed.data };
  const fields =
    unseen === null
      ? (parsed.error?.issues ?? []).flatMap((issue) => toFieldIssues(schema, issue, input))
      : [unknownField(unseen)];
  return { ok: false, fault: faultOfFields(fields) };
}

/** The first field with a code of the service's own names the fault; else the first, as `validation_failed`. */
export function faultOfFields(fields: FieldIssue[]): ShapeFault {
  const own = fields.find((field) => isErrorCode(field.code));
  const code = own && isErrorCode(own.code) ? own.code : 'validation_failed';
  const first = own ?? fields[0];
  // A field that is missing is often there under a wrong name.
  const unknown = fields.find((field) => field.code === 'unknown_field' && field !== first);
  const said = [first, unknown].filter((field) => field !== undefined);
  const message = said.length === 0 ? ERROR_CODES[code].message : said.map(describe).join('; ');
  return { code, message, details: { fields } };
}

function describe(field: FieldIssue): string {
  return field.path === '' ? field.message : `${field.path}: ${field.message}`;
}
