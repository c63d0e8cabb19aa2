import type { z } from 'zod';
import { ERROR_CODES, isErrorCode, type ErrorCode } from './errorCodes.ts';
import type { FieldIssue } from './errorEnvelope.ts';

/** What a shape check found: the service's code for it and the details that go with the code. */
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

function toFieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownField([...path, key]));
  }
  const named =
    issue.code === 'custom' ? (issue.params?.['code'] as string | undefined) : undefined;
  return [{ path: path.join('.'), code: named ?? issue.code, message: issue.message }];
}

function unknownField(path: readonly string[]): FieldIssue {
  const message = `Unknown field \`${path.at(-1)}\`.`;
  return { path: path.join('.'), code: 'unknown_field', message };
}

/**
 * Where a value holds a field of the name `__proto__`, as only parsed text can: zod leaves it out of a
 * loose object, so that a later, strict check of that object doesn't see it any more (RULE-1).
 */
function pathToProto(value: unknown): string[] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Object.hasOwn(value, PROTO)) return [PROTO];
  for (const [name, inner] of Object.entries(value)) {
    const found = pathToProto(inner);
    if (found !== null) return [name, ...found];
  }
  return null;
}

const PROTO = '__proto__';

/**
 * Checks a value's shape and translates zod's findings into the service's vocabulary (RULE-2): the
 * first finding that has a code of its own names the answer, everything else is `validation_failed`.
 * The value comes back as it went in (RULE-1): request schemas neither default nor transform.
 */
export function checkShape<T>(schema: z.ZodType<T>, input: unknown): ShapeResult<T> {
  const parsed = schema.safeParse(input, { reportInput: false });
  const unseen = parsed.success ? pathToProto(input) : null;
  if (parsed.success && unseen === null) return { ok: true, value: parsed.data };
  const fields =
    unseen === null ? (parsed.error?.issues ?? []).flatMap(toFieldIssues) : [unknownField(unseen)];
  const own = fields.find((field) => isErrorCode(field.code));
  const code = own && isErrorCode(own.code) ? own.code : 'validation_failed';
  const first = own ?? fields[0];
  const message = first === undefined ? ERROR_CODES[code].message : describe(first);
  return { ok: false, fault: { code, message, details: { fields } } };
}

function describe(field: FieldIssue): string {
  return field.path === '' ? field.message : `${field.path}: ${field.message}`;
}
