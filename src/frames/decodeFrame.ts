import type { Dialect } from '../contract/dialect.ts';
import {
  ackFrame,
  errorFrame,
  resultFrame,
  type FrameDecoding,
  type FrameFault,
  type StreamFrame,
} from '../contract/frames.ts';
import { channelCheck } from './channelCheck.ts';
import { compileCheck, type Check } from './compileCheck.ts';

/** How much of a bad text is included in the log. */
const MOST_TEXT = 200;

const CONTROL_CHECKS = {
  ack: compileCheck(ackFrame),
  error: compileCheck(errorFrame),
  result: compileCheck(resultFrame),
} as const;

/**
 * Decodes one text of the socket (conventions §5). Never throws: what can't be decoded is a fault, and the next
 * frame is decoded independently. Unknown channels, events and fields are retained (ERR-2).
 *
 * ```ts
 * decodeFrame('{', defaultDialect).ok; // => false
 * ```
 */
export function decodeFrame(text: string, dialect: Pick<Dialect, 'shapes'>): FrameDecoding {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return fault('not_json', describe(error), text);
  }
  try {
    // This may be a user's module, so its throw is a bad frame too.
    json = dialect.shapes.normaliseServerFrame(json);
  } catch (error) {
    return fault('not_normalised', describe(error), text);
  }
  return checkFrame(json, text);
}

function checkFrame(json: unknown, text: string): FrameDecoding {
  if (typeof json !== 'object' || json === null) return fault('bad_envelope', '(whole)', text);
  const { type } = json as { type?: unknown };
  if (type === 'ack' || type === 'error' || type === 'result') {
    const path = CONTROL_CHECKS[type](json);
    if (path !== null) return fault('bad_envelope', path, text);
    return { ok: true, frame: { kind: type, frame: json } as never };
  }
  return checkStreamFrame(json as StreamFrame, text);
}

function checkStreamFrame(frame: StreamFrame, text: string): FrameDecoding {
  const wrongPart = checkEnvelope(frame);
  if (wrongPart !== null) return fault('bad_envelope', wrongPart, text);
  const path = channelCheck(frame.channel, frame.event)?.(frame.data) ?? null;
  if (path !== null) return fault('bad_data', path === '' ? 'data' : `data.${path}`, text);
  return { ok: true, frame: { kind: 'stream', frame } };
}

/** Handwritten for speed: every frame passes here. */
export const checkEnvelope: Check = (value) => {
  const frame = value as StreamFrame;
  if (typeof frame.channel !== 'string') return 'channel';
  const params: unknown = frame.params;
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return 'params';
  if (typeof frame.event !== 'string') return 'event';
  if (typeof frame.wallet !== 'string') return 'wallet';
  if (!Number.isFinite(frame.seq)) return 'seq';
  return Number.isFinite(frame.ts) ? null : 'ts';
};

function fault(reason: FrameFault['reason'], detail: string, text: string): FrameDecoding {
  return {
    ok: false,
    fault: { reason, detail, text: String(text as unknown).slice(0, MOST_TEXT) },
  };
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : 'thrown');
