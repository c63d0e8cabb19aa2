import {
  ENDPOINTS,
  isCommandName,
  splitArgs,
  type ClientMessage,
  type CommandName,
  type EndpointId,
  type FieldIssue,
} from '../../contract/index.ts';
import type { z } from 'zod';
import { requireExactNumbers } from './exactNumbers.ts';
import type { Admission } from './Admission.ts';
import type { ApiKey } from './createKeyring.ts';
import type { FieldPath } from './repeatedFields.ts';
import { requireFieldsOnce } from './requireFieldsOnce.ts';
import { ServiceError } from './ServiceError.ts';

export type CommandMessage = Extract<ClientMessage, { op: 'command' }>;

/** How a command came. */
export interface CommandArrival {
  /** Epoch milliseconds. */
  wallTime: number;
  messageText: string;
  /** Fields of `args` that stand in it more than once. */
  repeatedArgs: readonly FieldPath[];
}

/**
 * A WebSocket command as an admission of its equivalent endpoint (STR-6).
 *
 * @throws ServiceError `unknown_command`
 */
export function commandAdmission(
  message: CommandMessage,
  session: { key: ApiKey; wallet: string },
  { wallTime, messageText, repeatedArgs }: CommandArrival,
): Admission {
  const { command, args = {}, idempotency_key: idempotencyKey = null } = message;
  if (!isCommandName(command)) throw new ServiceError('unknown_command');
  const { endpoint, pathParams, rest } = splitArgs(command, args);
  const takesBody = ENDPOINTS[endpoint].body !== null;
  return {
    endpoint,
    pathParams: pathParams as Record<string, string>,
    checkShape() {
      requireTexts(command, endpoint, pathParams);
      if (!takesBody) requireNumbers(endpoint, rest);
      requireFieldsOnce(repeatedArgs);
      requireExactNumbers(messageText, 'args');
    },
    query: takesBody ? {} : rest,
    readBody: () => (takesBody ? rest : undefined),
    key: session.key,
    wallet: message.wallet ?? session.wallet,
    idempotencyKey,
    exact: null,
    wallTime,
  };
}

/**
 * In a URL a number is text; in a command it is a number.
 *
 * @throws ServiceError `validation_failed` if a number of the query is a string
 */
function requireNumbers(endpoint: EndpointId, query: Readonly<Record<string, unknown>>): void {
  const { shape } = ENDPOINTS[endpoint].query as z.ZodObject;
  const fields = Object.entries(query).flatMap(([path, value]): FieldIssue[] => {
    // A client may send a field of any name, `toString` too.
    if (typeof value !== 'string' || !Object.hasOwn(shape, path)) return [];
    if (!(shape[path] as z.ZodType).safeParse(Number(value)).success) return [];
    return [{ path, code: 'invalid_type', message: `${path} is a number; it was sent as text.` }];
  });
  if (fields.length === 0) return;
  const message = fields.map((field) => field.message).join(' ');
  throw new ServiceError('validation_failed', { message, details: { fields } });
}

/** @throws ServiceError `validation_failed` if a path parameter is missing or is not a string */
function requireTexts(
  command: CommandName,
  endpoint: EndpointId,
  given: Readonly<Record<string, unknown>>,
): void {
  const names = [...ENDPOINTS[endpoint].path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const faulty = names.filter((name) => typeof given[name] !== 'string' || given[name] === '');
  if (faulty.length === 0) return;
  const fields = faulty.map((path) => ({
    path,
    code: 'required',
    message: `${command} needs ${path}, a string.`,
  }));
  const message = fields.map((field) => field.message).join(' ');
  throw new ServiceError('validation_failed', { message, details: { fields } });
}
