import { withCode } from '../contract/failures/withCode.ts';
import { ENDPOINTS, endpointSpec, type EndpointId } from '../contract/endpoints.ts';
import { isMap } from '../contract/isMap.ts';

/** What every call takes beside the parameters of its path. */
const OPTIONS = ['query', 'body', 'wallet', 'idempotencyKey'];

/**
 * Checks what types check: a program in JavaScript, or with a cast, gets an error that names the field instead of
 * one of the service, which knows only the request.
 *
 * @param call the method, as `orders.cancel`
 * @throws TypeError for a parameter that is missing, that there is none of, or of another type
 */
export function requireCall(call: EndpointId, input: unknown): void {
  const params = pathParamsOf(call);
  const names = [...params, ...OPTIONS].join(', ');
  if (!isMap(input))
    throw refusal(call, `takes an object with ${names}, and was given ${kindOf(input)}`);
  for (const name of Object.keys(input))
    if (!params.includes(name) && !OPTIONS.includes(name) && input[name] !== undefined)
      throw refusal(call, `has no parameter ${name}; it takes ${names}`);
  const { query, wallet, idempotencyKey } = input;
  if (query !== undefined && !isMap(query))
    throw refusal(call, `takes an object as query, and was given ${kindOf(query)}`);
  for (const [name, value] of Object.entries({ wallet, idempotencyKey }))
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw refusal(call, `takes a text as ${name}, and was given ${kindOf(value)}`);
}

/** As {@link requireCall}, of the layer below. */
export function requireRequest(request: unknown): void {
  if (!isMap(request) || !Object.hasOwn(ENDPOINTS, String(request['endpoint']))) {
    const given = isMap(request) ? kindOf(request['endpoint']) : kindOf(request);
    const what = `takes { endpoint, pathParams, query, body }, and its endpoint is ${given}`;
    throw refusal('request', `${what}; endpoints are named like orders.place`);
  }
  const { endpoint, pathParams = {}, body = '' } = request;
  if (!isMap(pathParams))
    throw refusal('request', `takes an object as pathParams, and was given ${kindOf(pathParams)}`);
  if (typeof body !== 'string')
    throw refusal('request', `takes the text of a body, and was given ${kindOf(body)}`);
  requirePathParams(endpoint as EndpointId, pathParams);
}

/** As {@link requireCall}, of a command of the stream. */
export function requireCommand(name: string, args: unknown, options: unknown): void {
  for (const [what, given] of Object.entries({ args, options }))
    if (!isMap(given))
      throw unsendable(
        `commands.${name} takes an object as ${what}, and was given ${kindOf(given)}`,
      );
}

/** @throws TypeError for a parameter of the path that is missing, or no text */
export function requirePathParams(
  call: EndpointId,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const name of pathParamsOf(call)) {
    const value = given[name];
    if (value === undefined) throw refusal(call, `needs ${name}, a text, which is missing`);
    if (typeof value !== 'string' || value === '')
      throw refusal(call, `takes a text as ${name}, and was given ${kindOf(value)}`);
  }
}

const pathParamsOf = (call: EndpointId): string[] =>
  [...endpointSpec(call).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function kindOf(value: unknown): string {
  if (value === '') return 'an empty one';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

const refusal = (call: string, what: string): Error => unsendable(`client.${call} ${what}`);

const unsendable = (message: string): Error =>
  withCode('TRIMTAB_WIRE_UNSENDABLE', new TypeError(`${message}.`));
