import { COMMAND_NAMES, ENDPOINT_IDS, type EndpointId } from '../../src/contract/index.ts';
import { checkAnswer, checkEnvelope, checkError, checkRecord, type Faults } from './checkAnswer.ts';
import { createDraw, type Draw } from './Draw.ts';
import { Findings, type Finding } from './Findings.ts';
import { FuzzSocket } from './FuzzSocket.ts';
import { hostileHttp, type HostileRequest } from './hostileHttp.ts';
import { createKnown, type Known } from './Known.ts';
import { RawHttp, type Reply } from './RawHttp.ts';
import type { Report } from './serve.ts';
import { validRequest } from './ShapedRequest.ts';
import {
  commandMessage,
  hostileMessage,
  subscriptionMessage,
  type SocketMessage,
} from './socketMessages.ts';
import { spoil } from './spoil.ts';
import { startTarget, type Target } from './startTarget.ts';
import { Tally, type TallyRow } from './Tally.ts';
import { sign, toBytes, toHttp } from './toHttp.ts';

export interface FuzzOptions {
  requests: number;
  seed: string | number;
  onProgress?: (done: number) => void;
}

export interface FuzzReport {
  seed: string | number;
  requests: number;
  findings: Finding[];
  tally: TallyRow[];
  /** Bytes on the service's heap after collection, at equal distances over the run. */
  heapBytes: number[];
  seconds: number;
}

interface Run {
  target: Target;
  http: RawHttp;
  socket: FuzzSocket | null;
  draw: Draw;
  known: Known;
  findings: Findings;
  tally: Tally;
  index: number;
}

const CHECKPOINTS = 20;
/** Requests between steps of the replay. */
const STEP_EVERY = 40;
const TIDY_EVERY = 400;
/** Wall time jumps so that idempotency keys expire after some thousand requests. */
const LEAP_MS = 20 * 60_000;
const SOCKET_LIFE = 400;

/**
 * Sends requests one after the other, over HTTP and WebSocket, and checks every answer. The same seed
 * sends the same requests, as long as the service answers the same.
 */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const target = await startTarget();
  const started = Date.now();
  const run: Run = {
    target,
    http: new RawHttp(target.port),
    socket: null,
    draw: createDraw(options.seed),
    known: createKnown(target.instruments, target.wallets),
    findings: new Findings(),
    tally: new Tally(),
    index: 0,
  };
  const heapBytes: number[] = [];
  const checkpoint = Math.max(1, Math.floor(options.requests / CHECKPOINTS));
  try {
    await give(run, { order: 'report' });
    for (; run.index < options.requests && target.death === null; run.index++) {
      await sendOne(run);
      if (run.index % STEP_EVERY === 0) await step(run);
      if ((run.index + 1) % checkpoint !== 0) continue;
      heapBytes.push((await give(run, { order: 'report' })).heapBytes);
      await checkHealth(run);
      options.onProgress?.(run.index + 1);
    }
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    run.findings.add('the run broke off', sampleOf(run, '', detail));
  } finally {
    if (target.death !== null) {
      run.findings.add('the service died', sampleOf(run, '', target.death));
    }
    run.http.close();
    run.socket?.close();
    target.stop();
  }
  return {
    seed: options.seed,
    requests: run.index,
    findings: run.findings.list(),
    tally: run.tally.rows(),
    heapBytes,
    seconds: (Date.now() - started) / 1_000,
  };
}

const sampleOf = (run: Run, request: string, detail: string) => ({
  index: `f${run.index}`,
  request,
  detail,
});

/** Sends a command to the service's process, and collects its findings since the last one. */
async function give(run: Run, order: Parameters<Target['order']>[0]): Promise<Report> {
  const report = await run.target.order(order);
  for (const { kind, index, request, detail } of report.violations) {
    const [first = '', second = ''] = detail.split('\n');
    const place = /\(?(?:file:\/\/)?[^ (]*\/(src\/[^)]+)\)?/.exec(second)?.[1] ?? '';
    const path = request.split('?')[0]!.split(' ').slice(0, 2).join(' ');
    const title = kind === 'state' ? `state: ${path.slice(0, 60)}` : `${kind}: ${first} ${place}`;
    run.findings.add(title, { index, request, detail });
  }
  run.known.now = report.now;
  for (const [symbol, mark] of Object.entries(report.marks)) run.known.setMark(symbol, mark);
  return report;
}

async function step(run: Run): Promise<void> {
  const { draw } = run;
  await give(run, { order: 'advance', bars: draw.chance(0.1) ? draw.int(10, 60) : draw.int(1, 5) });
  await give(run, { order: 'leap', ms: LEAP_MS });
  if (run.index % TIDY_EVERY === 0) await give(run, { order: 'tidy' });
}

async function checkHealth(run: Run): Promise<void> {
  const reply = await run.http.exchange(
    Buffer.from('GET /v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n'),
  );
  if (reply.kind === 'answer' && reply.status === 200) return;
  run.findings.add('not healthy', sampleOf(run, 'GET /v1/health', JSON.stringify(reply)));
}

const wallTime = (run: Run): number => Date.now() + run.target.leapMs;

async function sendOne(run: Run): Promise<void> {
  const { draw } = run;
  if (draw.chance(0.18)) await sendMessage(run);
  else if (draw.chance(0.15)) await sendHostile(run);
  else await sendShaped(run, draw.chance(0.35) ? draw.pick(MAKERS) : draw.pick(ENDPOINT_IDS));
}

/** Endpoints that create the records that others read, and that change them; drawn more often. */
const MAKERS: readonly EndpointId[] = [
  'orders.place',
  'orders.place',
  'executions.launch',
  'positions.attachLegs',
  'monitors.create',
  'webhooks.create',
  'webhooks.inbound',
  'baskets.launch',
  'orders.modify',
  'orders.cancel',
];

/** Ended records fill these lists; their ids would crowd out those of open ones. */
const PAST: ReadonlySet<string> = new Set([
  'orders.history',
  'orders.fills',
  'executions.orders',
  'executions.fills',
]);

/** Sometimes the key of an earlier request. */
function idempotencyKey({ draw, index }: Run): string {
  return `k-${draw.chance(0.85) ? index : Math.max(0, index - draw.int(1, 300))}`;
}

async function sendShaped(run: Run, endpoint: EndpointId): Promise<void> {
  const { draw, known, target } = run;
  const request = validRequest(endpoint, draw, known);
  const how = draw.chance(0.5) ? spoil(request, draw) : 'valid';
  const parts = toHttp(request);
  parts.headers.push(['x-fuzz', `f${run.index}`]);
  if (draw.chance(0.2)) parts.headers.push(['x-service-wallet', draw.pick(known.wallets)]);
  if (endpoint === 'executions.launch' || draw.chance(0.1)) {
    parts.headers.push(['idempotency-key', idempotencyKey(run)]);
  }
  sign(parts, target, wallTime(run));
  const reply = await run.http.exchange(toBytes(parts));
  const text = `${how} | ${parts.method} ${parts.target.slice(0, 300)} ${parts.body.toString('utf8', 0, 1_500)}`;
  checkReply(run, reply, { name: endpoint, text, endpoint: isIntact(how) ? endpoint : null });
  if (reply.kind === 'answer' && reply.status < 300 && hasExtra(how, endpoint)) {
    const detail = 'RULE-1: an unknown field was taken';
    run.findings.add(`${endpoint}: ${detail}`, sampleOf(run, text, detail));
  }
}

/** Whether an unknown field was added; a webhook's action is checked at its delivery. */
const hasExtra = (how: string, endpoint: EndpointId): boolean =>
  /^(body|query): extra/.test(how) && !endpoint.startsWith('webhooks.');

/** A changed path may be another endpoint's, with another record. */
const isIntact = (how: string): boolean => !how.startsWith('pathParams');

async function sendHostile(run: Run): Promise<void> {
  const { draw, known, target } = run;
  const parts = toHttp(validRequest(draw.pick(ENDPOINT_IDS), draw, known));
  parts.headers.push(['x-fuzz', `f${run.index}`]);
  const request = hostileHttp({
    draw,
    parts,
    credentials: { keyId: target.keyId, secret: target.secret },
    wallTime: wallTime(run),
  });
  const reply = await run.http.exchange(request.bytes, {
    head: request.head ?? false,
    end: request.end ?? false,
  });
  const text = `${request.how} | ${request.bytes.toString('latin1', 0, 1_500)}`;
  checkReply(run, reply, { name: 'hostile', text, endpoint: null, hostile: request });
}

function checkReply(
  run: Run,
  reply: Reply,
  asked: { name: string; text: string; endpoint: EndpointId | null; hostile?: HostileRequest },
): void {
  const { name, text, endpoint, hostile } = asked;
  const add = (faults: Faults): void => {
    for (const fault of faults) {
      const detail = `${fault} — ${JSON.stringify(reply).slice(0, 1_500)}`;
      const title = `${name}${hostile === undefined ? '' : ` (${hostile.how})`}: ${fault}`;
      run.findings.add(title, sampleOf(run, text, detail));
    }
  };
  if (reply.kind !== 'answer') {
    run.tally.add(name, 'other', reply.kind);
    if (reply.kind === 'silence' || hostile?.broken !== true)
      add([`${reply.kind} without an answer`]);
    return;
  }
  // Controls are no part of v1: their answers have no request id, whether refused or not.
  const isControl = reply.body.includes('"paper"') || text.includes('GET /paper/replay ');
  const isPaper = reply.headers['x-request-id'] === undefined && isControl;
  // Invalid HTTP is refused below the service, without an envelope.
  const isBare = hostile?.broken === true && isBareRefusal(reply);
  if (!isBare && !isPaper) add(checkAnswer(reply, { endpoint, noBody: hostile?.head === true }));
  if (isPaper && reply.status >= 500) add([`status ${reply.status}`]);
  if (hostile?.expect !== undefined && !hostile.expect.includes(reply.status)) {
    add([`status ${reply.status}, not ${hostile.expect.join(' or ')}`]);
  }
  const json = jsonOf(reply.body);
  if (reply.status < 300 && !PAST.has(name)) run.known.learn(json);
  const code = (json as { error?: { code?: string } } | null)?.error?.code ?? null;
  run.tally.add(name, reply.status < 300 ? 'accepted' : 'refused', code);
}

function isBareRefusal({ status, headers }: Extract<Reply, { kind: 'answer' }>): boolean {
  return headers['x-request-id'] === undefined && status >= 400 && status < 500;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

async function sendMessage(run: Run): Promise<void> {
  const { draw, known } = run;
  const bench = { id: `f${run.index}`, draw, known, idempotencyKey: idempotencyKey(run) };
  const spoiled = draw.chance(0.5);
  const roll = draw.number(0, 1);
  if (roll < 0.65) {
    await exchangeMessage(run, commandMessage(draw.pick(COMMAND_NAMES), bench, spoiled));
  } else if (roll < 0.82) await exchangeMessage(run, subscriptionMessage(bench, spoiled));
  else await exchangeMessage(run, hostileMessage(bench));
}

async function exchangeMessage(run: Run, message: SocketMessage): Promise<void> {
  if (run.socket?.isOpen !== true || run.index % SOCKET_LIFE === 0) {
    run.socket?.close();
    run.socket = await FuzzSocket.open(run.target.port, run.target, wallTime(run));
  }
  const { message: answer, closed } = await run.socket.exchange(message.data);
  const text = `${message.how} | ${message.data.toString().slice(0, 1_500)}`;
  const faults = answer === null ? silenceFaults(message, closed) : socketFaults(message, answer);
  for (const fault of faults) {
    const detail = `${fault} — ${JSON.stringify(answer).slice(0, 1_500)}`;
    run.findings.add(`${message.name}: ${fault}`, sampleOf(run, text, detail));
  }
  const accepted = answer?.['ok'] === true || answer?.['type'] === 'ack';
  if (accepted) run.known.learn(answer?.['data']);
  const code = (answer?.['error'] as { code?: string } | undefined)?.code ?? null;
  const outcome = answer === null ? 'other' : accepted ? 'accepted' : 'refused';
  run.tally.add(message.name, outcome, code);
}

function silenceFaults({ mayClose }: SocketMessage, closed: boolean): Faults {
  if (closed) return mayClose ? [] : ['closed without an answer'];
  return ['silence'];
}

/** Ack, error or result, with the correlation id of what it answers (STR-6, STR-7). */
function socketFaults(message: SocketMessage, answer: Record<string, unknown>): Faults {
  const faults: Faults = [];
  const { type, id, ok, data, error, request_id: requestId } = answer;
  // The id of an unreadable message can't be read either.
  const isUnread = (error as { code?: string } | undefined)?.code === 'invalid_json';
  if (message.id !== null && id !== message.id && !isUnread) faults.push(`id ${String(id)}`);
  if (type === 'ack') return faults;
  if (typeof requestId !== 'string' || requestId === '') faults.push('no request_id');
  if (type === 'error')
    return [...faults, ...checkEnvelope({ error, request_id: requestId }, null)];
  if (type !== 'result') return [...faults, `type ${String(type)}`];
  if (ok !== true) return [...faults, ...checkError(error, null)];
  if (typeof answer['weight'] !== 'number') faults.push('no weight');
  return message.endpoint === null ? faults : [...faults, ...checkRecord(message.endpoint, data)];
}
