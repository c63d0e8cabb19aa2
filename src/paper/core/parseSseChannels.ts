import type { z } from 'zod';
import { CHANNELS, isChannelName } from '../../contract/index.ts';
import { ServiceError } from './ServiceError.ts';

/**
 * Reads `channels=price:BTC,candles:BTC:1m` (conventions §5): params after colons, in the table's order;
 * a colon or comma inside a value is percent-encoded; an empty field is an omitted param.
 *
 * @throws ServiceError `unknown_channel`, `validation_failed`
 */
export function parseSseChannels(
  text: string,
): Array<{ channel: string; params: Record<string, unknown> }> {
  return text.split(',').map((wish) => {
    const [channel = '', ...values] = wish.split(':').map(decoded);
    if (!isChannelName(channel)) throw new ServiceError('unknown_channel');
    const { sse, params: schema } = CHANNELS[channel];
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    const names: readonly string[] = sse;
    if (values.length > names.length) {
      throw badChannels(`${channel} takes at most ${names.length} params.`);
    }
    const given = values.map((value, index) => [names[index] ?? '', value] as const);
    const params = given
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, typed(shape[name], value)]);
    return { channel, params: Object.fromEntries(params) as Record<string, unknown> };
  });
}

/**
 * A query's text in which a value may be encoded once, as conventions §5 writes it, or once more for the URL:
 * beside a colon that is written plainly, an encoded one belongs to a value. An entry without a plain colon
 * was encoded as a whole, and a comma that is encoded once separates entries for that reason.
 */
export function protectColons(queryText: string): string {
  return queryText
    .split(/(,|%2C|&)/i)
    .map((entry) => (entry.includes(':') ? entry.replaceAll(/%3A/gi, '%253A') : entry))
    .join('');
}

/** `id:` of an SSE frame: `channel:params:seq`, with the same order and encoding. */
export function sseFrameId(
  channel: string,
  params: Readonly<Record<string, unknown>>,
  seq: number,
): string {
  const names: readonly string[] = isChannelName(channel) ? CHANNELS[channel].sse : [];
  const values = names.map((name) => encoded(params[name]));
  while (values.at(-1) === '') values.pop();
  return [channel, ...values, seq].join(':');
}

/** Everything in a URL is text; a param whose shape is none is read as the number or flag that it writes. */
function typed(shape: z.ZodType | undefined, value: string): unknown {
  if (shape === undefined || shape.safeParse(value).success) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** Params are texts, numbers and booleans. */
const encoded = (value: unknown): string =>
  value === undefined
    ? ''
    : String(value as string | number | boolean).replace(/[%:,\r\n]/g, encodeURIComponent);

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw badChannels(`\`${value}\` is not valid percent-encoding.`);
  }
}

function badChannels(message: string): ServiceError {
  const fields = [{ path: 'channels', code: 'invalid_channels', message }];
  return new ServiceError('validation_failed', {
    message: `channels: ${message}`,
    details: { fields },
  });
}
