import { checkShape, clientMessage, type ClientMessage } from '../../contract/index.ts';
import type { Log } from '../../env/index.ts';
import { checkSubscription } from './checkSubscription.ts';
import type { Connections } from './createConnections.ts';
import type { Gate } from './createGate.ts';
import type { ApiKey, Keyring } from './createKeyring.ts';
import type { Transit } from './createTransit.ts';
import type { StreamHub } from './createStreamHub.ts';
import type { Engine } from './Engine.ts';
import { faultOf } from './faultOf.ts';
import { readJson } from './readJson.ts';
import type { FieldPath } from './repeatedFields.ts';
import { requireFieldsOnce } from './requireFieldsOnce.ts';
import { ServiceError } from './ServiceError.ts';
import { shareData, type StreamPort } from './StreamPort.ts';
import { StreamSubscription } from './StreamSubscription.ts';
import type { Admission } from './Admission.ts';
import { commandAdmission, type CommandArrival, type CommandMessage } from './commandAdmission.ts';

export interface SessionParts {
  key: ApiKey;
  keyring: Pick<Keyring, 'find'>;
  /** The wallet of a subscription or command without `wallet`. */
  wallet: string;
  port: StreamPort;
  engine: Engine;
  connections: Connections;
  gate: Gate;
  hub: StreamHub;
  /** Runs when a command of that endpoint reaches the venue. */
  hold: Transit['toVenue'];
  nextRequestId(): string;
  log: Log;
}

type Subscribe = Extract<ClientMessage, { channel: string }>;

/** One open stream (STR-1 to STR-7): its subscriptions, and the commands that come over it. */
export class Session {
  readonly #parts: SessionParts;
  readonly #subscriptions = new Map<string, StreamSubscription>();
  #isClosed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get keyId(): string {
    return this.#parts.key.keyId;
  }

  /** Opens `_meta`, which is always subscribed; its first frame is the welcome (STR-4). */
  welcome(data: Readonly<Record<string, unknown>>): void {
    this.#open('_meta', {}, this.#parts.wallet).send('welcome', shareData(data), this.#now);
  }

  /** Handles one text message from the client; what still comes over a closing socket counts for nothing. */
  receive(text: string, wallTime: number): void {
    if (this.#isClosed) return;
    let id: string | null = null;
    try {
      const { value: json, repeated } = readJson(text);
      id = idOf(json);
      const message = checkShape<ClientMessage>(clientMessage, json);
      if (!message.ok) {
        const { code, message: words, details } = message.fault;
        throw new ServiceError(code, { message: words, details: { ...details } });
      }
      // Those inside of `args` are a fault of the command, and its result tells them.
      requireFieldsOnce(repeated.filter((path) => !isOfArgs(path)));
      const repeatedArgs = repeated.filter(isOfArgs).map((path) => path.slice(1));
      this.#obey(message.value, { wallTime, messageText: text, repeatedArgs });
    } catch (error) {
      this.#refuse(id, error);
    }
  }

  /** @throws ServiceError as {@link checkSubscription} */
  subscribe(
    wish: { channel: string; params: Readonly<Record<string, unknown>> },
    acknowledge: (wallet: string) => void = () => {},
  ): void {
    const { channel, params, wallet } = checkSubscription(wish, this.#parts.wallet, {
      connections: this.#parts.connections,
      market: this.#parts.engine.market,
    });
    if (channel === '_meta') return acknowledge(wallet);
    // Only what has been opened is acknowledged: an acknowledgement is never followed by a refusal.
    const snapshot = this.#parts.engine.snapshot(channel, wallet, params);
    const subscription = this.#open(channel, params, wallet);
    acknowledge(wallet);
    if (snapshot !== null) subscription.send('snapshot', shareData(snapshot), this.#now);
  }

  /** @throws ServiceError as {@link checkSubscription} */
  unsubscribe(
    wish: { channel: string; params: Readonly<Record<string, unknown>> },
    acknowledge: (wallet: string) => void = () => {},
  ): void {
    const { connections, engine, wallet: own } = this.#parts;
    const known = { connections, market: engine.market };
    const { channel, params, wallet } = checkSubscription(wish, own, known);
    if (channel !== '_meta') this.#forget(channel, params);
    acknowledge(wallet);
  }

  /** The peer is gone or is being closed; nothing more is sent. */
  close(): void {
    this.#isClosed = true;
    for (const subscription of this.#subscriptions.values()) this.#parts.hub.remove(subscription);
    this.#subscriptions.clear();
  }

  get #now(): number {
    return this.#parts.engine.now;
  }

  #open(
    channel: StreamSubscription['channel'],
    params: Readonly<Record<string, unknown>>,
    wallet: string,
  ): StreamSubscription {
    this.#forget(channel, params);
    const subscription = new StreamSubscription(channel, params, wallet, this.#parts.port);
    this.#parts.hub.add(subscription);
    this.#subscriptions.set(subscription.name, subscription);
    return subscription;
  }

  #forget(channel: string, params: Readonly<Record<string, unknown>>): void {
    const name = StreamSubscription.nameOf(channel, params);
    const subscription = this.#subscriptions.get(name);
    if (subscription === undefined) return;
    this.#parts.hub.remove(subscription);
    this.#subscriptions.delete(name);
  }

  #obey(message: ClientMessage, arrival: CommandArrival): void {
    if (message.op === 'command') return this.#command(message, arrival);
    this.#requireKey();
    if (message.op === 'subscribe') this.#subscribe(message);
    else this.#unsubscribe(message);
  }

  #subscribe({ id, channel, params = {} }: Subscribe): void {
    this.subscribe({ channel, params }, (wallet) =>
      this.#parts.port.control({ type: 'ack', id, wallet, channel, params }),
    );
  }

  #unsubscribe({ id, channel, params = {} }: Subscribe): void {
    this.unsubscribe({ channel, params }, (wallet) =>
      this.#parts.port.control({ type: 'ack', id, wallet, channel, params }),
    );
  }

  /** A stream outlives its key, and a command may be under way while the key is revoked: it is 401, as on REST. */
  #requireKey(): void {
    if (this.#parts.keyring.find(this.keyId) === undefined) throw new ServiceError('unknown_key');
  }

  /** A command is an endpoint over another transport: the same gate, scopes, weights and keys (STR-6). */
  #command(message: CommandMessage, arrival: CommandArrival): void {
    try {
      const admission = commandAdmission(message, this.#parts, arrival);
      const { endpoint } = admission;
      this.#parts.hold(endpoint, () => this.#carryOut(message, () => admission));
    } catch (error) {
      this.#carryOut(message, () => {
        throw error;
      });
    }
  }

  #carryOut(message: CommandMessage, admit: () => Admission): void {
    const { port, log } = this.#parts;
    const wallet = message.wallet ?? this.#parts.wallet;
    const head = { type: 'result', id: message.id };
    try {
      this.#requireKey();
      const outcome = this.#parts.gate(admit());
      const { requestId: request_id, weight } = outcome;
      const body = (
        outcome.bodyText === null ? outcome.body : JSON.parse(outcome.bodyText)
      ) as Record<string, unknown>;
      const tail = { weight, request_id };
      const seen = { ...head, wallet: outcome.wallet ?? wallet };
      if (outcome.status < 300) port.control({ ...seen, ok: true, data: body, ...tail });
      else port.control({ ...seen, ok: false, error: body['error'], ...tail });
    } catch (error) {
      const { fault } = faultOf(error, log, message.command);
      port.control({
        ...head,
        wallet,
        ok: false,
        error: fault,
        request_id: this.#parts.nextRequestId(),
      });
    }
  }

  #refuse(id: string | null, error: unknown): void {
    const { wallet, port, log } = this.#parts;
    const { fault } = faultOf(error, log, 'session');
    port.control({
      type: 'error',
      id,
      wallet,
      error: fault,
      request_id: this.#parts.nextRequestId(),
    });
  }
}

const isOfArgs = (path: FieldPath): boolean => path.length > 1 && path[0] === 'args';

function idOf(json: unknown): string | null {
  const id = (json as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : null;
}
