import {
  COMMAND_NAMES,
  ENDPOINT_IDS,
  LAYERS,
  LAYER_STATUSES,
  type Dialect,
  type ChannelName,
  type EndpointId,
  type ExecutionRecord,
  type MonitorRecord,
  type OrderRecord,
  type PositionRecord,
} from '../../src/contract/index.ts';
import type { Log } from '../../src/env/index.ts';
import type { Feed, MarketData, PaperSettingsInput } from '../../src/paper/index.ts';
import type { Change } from '../../src/paper/state/Change.ts';
import type { SavedService } from '../../src/paper/state/SavedService.ts';
import { createDraw, type Draw } from '../fuzz/Draw.ts';
import { createKnown, type Known } from '../fuzz/Known.ts';
import { validRequest } from '../fuzz/ShapedRequest.ts';
import { commandMessage, hostileMessage, subscriptionMessage } from '../fuzz/socketMessages.ts';
import { spoil } from '../fuzz/spoil.ts';
import { toHttp, type HeaderList } from '../fuzz/toHttp.ts';
import { openTestService, type Answer, type TestService } from '../paper/core/openTestService.ts';
import { openTestSession, type TestSession } from '../paper/core/openTestSession.ts';
import type { Outcome } from './expectRecorded.ts';
import { nearRequest, type Place } from './nearRequests.ts';

/** A service, and how long a drawn client plays with it. */
export interface ServiceCase {
  seed: string;
  feeds: Feed[];
  funding?: MarketData['funding'];
  settings?: Partial<PaperSettingsInput>;
  dialect?: Dialect;
  steps: number;
  /** Share of the requests in which one thing is wrong. */
  spoiled?: number;
  /** Endpoints to be drawn besides all the others, one as often as it is named. */
  makers?: readonly EndpointId[];
  /** Kinds of requests near the market, of which most are then drawn; one as often as it is named. */
  near?: readonly string[];
  /** Whether few frames of the market are wanted: each takes longer than a request. */
  isQuiet?: boolean;
}

/** Endpoints that create the records that others read, and that change them. */
const MAKERS: readonly EndpointId[] = [
  'orders.place',
  'orders.place',
  'orders.place',
  'executions.launch',
  'executions.launch',
  'positions.attachLegs',
  'positions.attachLegs',
  'positions.close',
  'monitors.create',
  'monitors.createGroup',
  'webhooks.create',
  'webhooks.inbound',
  'baskets.launch',
  'baskets.createTemplate',
  'orders.modify',
  'orders.cancel',
  'executions.pause',
  'executions.resume',
];

const SECTION_OF: Readonly<Record<string, string>> = {
  utility: 'reads',
  connections: 'reads',
  account: 'reads',
  market: 'market',
  orders: 'orders',
  positions: 'positions',
  leverage: 'positions',
  executions: 'executions',
  baskets: 'executions',
  monitors: 'automation',
  webhooks: 'automation',
  streams: 'reads',
};

const MARKET_CHANNELS = new Set(['candles', 'price', 'markets', 'orderbook']);
const WALLETS = ['main', 'small', 'unlinked', 'degraded'];
export const FURTHER_WALLETS: PaperSettingsInput['connections'] = [
  { label: 'small', balance: 150 },
  { label: 'unlinked', balance: 500, status: 'unlinked' },
  { label: 'degraded', balance: 2_000, status: 'degraded' },
];

/** What a drawn client of a service in virtual time is answered and shown, and what the service logs, records and saves. */
export function playService(given: ServiceCase): Outcome {
  return new Play(given).outcome();
}

class Play {
  readonly #given: ServiceCase;
  readonly #draw: Draw;
  readonly #lines = new Map<string, string[]>();
  /** What the process of the service began with, and what it has recorded since. */
  #saved: SavedService;
  #changes: Change[] = [];
  readonly #log: Log;
  #service: TestService;
  #sessions: TestSession[] = [];
  #known: Known;
  #keys = ['vk_test'];
  #at = 0;

  constructor(given: ServiceCase) {
    this.#given = given;
    this.#draw = createDraw(given.seed);
    // In this order, whatever comes first.
    for (const name of ['reads', 'market', 'orders', 'positions', 'executions', 'automation'])
      this.#lines.set(name, []);
    this.#log = this.#logWith({});
    this.#service = this.#open();
    this.#saved = this.#begin();
    const { instruments } = this.#service.core.engine.market;
    this.#known = createKnown(instruments, WALLETS);
  }

  outcome(): Outcome {
    this.#connect();
    this.#look();
    for (this.#at = 0; this.#at < this.#given.steps; this.#at++) this.#step();
    this.#readAll();
    this.#save();
    return this.#lines;
  }

  #write(section: string, line: string): void {
    const lines = this.#lines.get(section);
    if (lines === undefined) this.#lines.set(section, [line]);
    else lines.push(line);
  }

  #logWith(fields: object): Log {
    const line =
      (level: string) =>
      (message: string, more: object = {}): void => {
        const { stack: _, ...rest } = { ...fields, ...more } as Record<string, unknown>;
        this.#write('log', `${this.#at} ${level} ${message} ${JSON.stringify(rest)}`);
      };
    return {
      debug: line('debug'),
      info: line('info'),
      warn: line('warn'),
      error: line('error'),
      with: (more) => this.#logWith({ ...fields, ...more }),
    };
  }

  #open(more: { saved?: SavedService; changes?: readonly Change[] } = {}): TestService {
    const { feeds, funding = {}, settings = {}, dialect } = this.#given;
    const named = feeds.map(({ symbol, interval }) => ({ symbol, interval, generate: {} }));
    return openTestService(
      { feeds: named, connections: FURTHER_WALLETS, warmup: 30, ...settings },
      {
        feeds,
        funding,
        ...(dialect && { dialect }),
        ...more,
        seed: this.#given.seed,
        tokenSecret: 'token secret',
        log: this.#log,
        record: (change) => {
          const text = JSON.stringify(change);
          this.#changes.push(JSON.parse(text) as Change);
          this.#write('changes', text);
        },
      },
    );
  }

  /** Two streams, one of them of a key with fewer scopes. */
  #connect(): void {
    const { core } = this.#service;
    const has = (keyId: string): boolean => core.keyring.find(keyId) !== undefined;
    if (!has('vk_reader')) this.#service.addKey('vk_reader', ['read'], 'professional');
    if (!has('vk_trader')) this.#service.addKey('vk_trader', ['read', 'trade'], 'elite');
    this.#keys = ['vk_test', 'vk_reader', 'vk_trader'];
    this.#sessions = [
      openTestSession(this.#service),
      openTestSession(this.#service, { keyId: 'vk_trader', wallet: 'small' }),
    ];
    const subscribe = (to: number, channel: string, params: object = {}): void =>
      this.#sessions[to]!.session.receive(
        JSON.stringify({ id: channel, op: 'subscribe', channel, params }),
        this.#service.wall.now,
      );
    for (const channel of ['account.state', 'executions', 'tpsl.watch', 'monitors'])
      subscribe(0, channel);
    subscribe(1, 'account.state');
    const isQuiet = this.#given.isQuiet ?? this.#given.near !== undefined;
    if (isQuiet) subscribe(1, 'candles', { symbol: 'BTC', interval: '5m' });
    for (const { symbol } of core.engine.market.instruments.slice(0, isQuiet ? 0 : 2)) {
      subscribe(0, 'candles', { symbol, interval: '1m', include_forming: this.#draw.chance(0.3) });
      subscribe(1, 'candles', { symbol, interval: '15m', limit: 3 });
      subscribe(1, 'price', { symbol });
      subscribe(1, 'markets', { symbol });
      subscribe(1, 'orderbook', { symbol, depth: 3 });
    }
    this.#takeFrames();
  }

  #takeFrames(): void {
    for (const [which, { messages, clear }] of this.#sessions.entries()) {
      for (const message of messages) {
        const channel = message.channel as string | undefined;
        const section =
          message.event === undefined
            ? 'sockets'
            : MARKET_CHANNELS.has(channel!)
              ? 'market frames'
              : 'own frames';
        this.#write(section, `${this.#at} ${which} ${JSON.stringify(message)}`);
        if (message.ok === true) this.#known.learn(message.data);
      }
      clear();
    }
  }

  #look(): void {
    const { engine } = this.#service.core;
    this.#known.now = engine.now;
    for (const { symbol } of engine.market.instruments) {
      const { mark } = engine.market.quote(symbol);
      if (mark > 0) this.#known.setMark(symbol, mark);
    }
  }

  #step(): void {
    const draw = this.#draw;
    const roll = draw.number(0, 1);
    if (roll < 0.6) this.#request();
    else if (roll < 0.7) this.#message();
    else if (roll < 0.95) this.#advance();
    else this.#happen();
    this.#takeFrames();
  }

  #advance(): void {
    const { engine } = this.#service.core;
    const ms = this.#draw.pick([1, 900, 20_000, 60_000, 60_000, 180_000, 600_000]);
    const until = this.#draw.chance(0.2);
    const handed = this.#service.core.advanceTo(engine.now + ms, until);
    if (this.#draw.chance(0.1)) this.#service.core.announceAdvanced(engine.now);
    this.#write('sockets', `${this.#at} advanced ${ms} to ${engine.now} ${handed}`);
    this.#service.wall.now += ms;
    this.#look();
  }

  #request(): void {
    const { spoiled = 0.4, makers = [], near } = this.#given;
    const draw = this.#draw;
    const isNear = near !== undefined && draw.chance(0.85);
    const drawn = draw.chance(0.5) ? draw.pick([...MAKERS, ...makers]) : draw.pick(ENDPOINT_IDS);
    const request = isNear
      ? nearRequest(near, { draw, known: this.#known, ...this.#own() })
      : validRequest(drawn, draw, this.#known);
    const { endpoint } = request;
    const how = draw.chance(spoiled) ? spoil(request, draw) : 'valid';
    const parts = toHttp(request);
    const headers: HeaderList = parts.headers.slice(1);
    if (draw.chance(0.15)) headers.push(['x-service-wallet', draw.pick([...WALLETS, 'nobody'])]);
    if ((endpoint === 'executions.launch' && draw.chance(0.95)) || draw.chance(0.1))
      headers.push(['idempotency-key', this.#idempotencyKey()]);
    const answer = this.#send(parts.method, parts.target, {
      bodyText: parts.body.toString('utf8'),
      headers: Object.fromEntries(headers),
      keyId: draw.chance(0.9) ? 'vk_test' : draw.pick(this.#keys),
    });
    const section = SECTION_OF[endpoint.split('.')[0]!]!;
    this.#write(section, `${this.#at} ${how} ${endpoint} ${shown(answer)}`);
    if (answer.status < 300) this.#known.learn(answer.body);
  }

  /** What the main wallet has at the moment. */
  #own(): Pick<Place, 'held' | 'live'> {
    const { engine } = this.#service.core;
    const read = <T>(channel: ChannelName): T => engine.snapshot(channel, 'main', {}) as T;
    return {
      held(symbol) {
        const { positions } = read<{ positions: PositionRecord[] }>('account.state');
        const { size = 0, side } = positions.find((position) => position.symbol === symbol) ?? {};
        return side === 'short' ? -size : size;
      },
      live: {
        order_id: () =>
          read<{ open_orders: OrderRecord[] }>('account.state').open_orders.map((o) => o.order_id),
        execution_id: () =>
          read<{ executions: ExecutionRecord[] }>('executions').executions.map(
            (execution) => execution.execution_id,
          ),
        monitor_id: () =>
          read<{ monitors: MonitorRecord[] }>('monitors').monitors.map((m) => m.monitor_id),
      },
    };
  }

  #idempotencyKey(): string {
    const back = this.#draw.chance(0.85) ? 0 : this.#draw.int(1, 30);
    return `k-${Math.max(0, this.#at - back)}`;
  }

  #send(
    method: string,
    target: string,
    asked: { bodyText?: string; headers?: Record<string, string>; keyId?: string } = {},
  ): Answer {
    return this.#service.ask(target, { method, ...asked });
  }

  #message(): void {
    const draw = this.#draw;
    const bench = {
      id: `f${this.#at}`,
      draw,
      known: this.#known,
      idempotencyKey: this.#idempotencyKey(),
    };
    const isSpoiled = draw.chance(this.#given.spoiled ?? 0.4);
    const roll = draw.number(0, 1);
    const { data } =
      roll < 0.6
        ? commandMessage(draw.pick(COMMAND_NAMES), bench, isSpoiled)
        : roll < 0.85
          ? subscriptionMessage(bench, isSpoiled)
          : hostileMessage(bench);
    const which = draw.int(0, this.#sessions.length - 1);
    this.#sessions[which]!.session.receive(data.toString('utf8'), this.#service.wall.now);
  }

  /** What comes from beside the requests. */
  #happen(): void {
    const draw = this.#draw;
    const { core, wall } = this.#service;
    const what = draw.pick(['layer', 'layer', 'transfer', 'leap', 'interrupt', 'reopen', 'key']);
    this.#write('sockets', `${this.#at} ${what}`);
    if (what === 'layer') {
      // What is degraded recovers first, so that not everything is refused.
      const bad = LAYERS.find((name) => core.layers[name] !== 'ok');
      const status = bad === undefined ? draw.pick(LAYER_STATUSES) : 'ok';
      core.setLayer(bad ?? draw.pick(LAYERS), status, status === 'ok' ? null : 'drawn');
    } else if (what === 'transfer') {
      core.engine.transfer(draw.pick(['main', 'small']), draw.pick([25, -10, 1_000]));
    } else if (what === 'leap') wall.now += draw.pick([61_000, 3_600_000, 90_000_000]);
    else if (what === 'interrupt') core.engine.interruptExecutions();
    else if (what === 'key') {
      const keyId = `vk_${this.#at}`;
      this.#service.addKey(keyId, draw.chance(0.5) ? ['read', 'algo'] : ['trade']);
      this.#keys.push(keyId);
      const gone = draw.pick(this.#keys.slice(1));
      core.keyring.revoke(gone);
    } else this.#reopen();
  }

  #begin(): SavedService {
    const { core, wall } = this.#service;
    this.#changes = [];
    return JSON.parse(JSON.stringify(core.save(wall.now))) as SavedService;
  }

  /** A process ends, and the next one goes on with what it has saved. */
  #reopen(): void {
    const { now } = this.#service.wall;
    this.#service = this.#open({ saved: this.#begin() });
    this.#service.wall.now = now;
    this.#saved = this.#begin();
    this.#connect();
  }

  /** Each list and each record that a client could still ask for. */
  #readAll(): void {
    for (const wallet of ['main', 'small', 'degraded']) {
      const headers: Record<string, string> = { 'x-service-wallet': wallet };
      const lists: ReadonlyArray<[section: string, path: string]> = [
        ['reads', '/account'],
        ['reads', '/account/balances'],
        ['reads', '/account/pnl?limit=500'],
        ['reads', '/account/settings'],
        ['reads', '/account/fee-tier'],
        ['orders', '/orders?limit=500'],
        ['orders', '/orders/history?limit=500'],
        ['orders', '/fills?limit=500'],
        ['positions', '/positions'],
        ['executions', '/executions?limit=500'],
        ['executions', '/baskets'],
        ['automation', '/monitors?limit=500'],
        ['automation', '/webhooks'],
      ];
      for (const [section, path] of lists) {
        this.#read(section, path, headers);
      }
      for (const path of ['/orders/history', '/fills', '/executions', '/account/pnl'])
        this.#readPages(path, headers);
    }
  }

  #read(section: string, path: string, headers: Record<string, string>): Answer {
    // So that the key's budget holds out.
    this.#service.wall.now += 5_000;
    const answer = this.#send('GET', `/v1${path}`, { headers });
    this.#write(section, `${JSON.stringify(headers)} ${path} ${shown(answer)}`);
    return answer;
  }

  /** Pages of three, within a range of time, and from a place that no page has named. */
  #readPages(path: string, headers: Record<string, string>): void {
    const { now, startTime } = this.#service.core.engine;
    const range = `start_time=${startTime + 600_000}&end_time=${now - 600_000}`;
    let cursor: string | null = null;
    for (let page = 0; page < 4; page++) {
      const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = this.#read('reads', `${path}?limit=3${from}`, headers);
      cursor = body.next_cursor ?? null;
      if (cursor === null) break;
    }
    this.#read('reads', `${path}?limit=2&${range}`, headers);
    this.#read('reads', `${path}?limit=2&cursor=nowhere`, headers);
  }

  /** The whole state, and the state that a process has which was cut and repeats the recorded changes. */
  #save(): void {
    const { now } = this.#service.wall;
    this.#write('state', JSON.stringify(this.#service.core.save(now)));
    const [saved, changes] = [this.#saved, [...this.#changes]];
    const again = this.#open({ saved, changes });
    this.#write('state', JSON.stringify(again.core.save(now)));
  }
}

function shown({ status, headers, body }: Answer): string {
  return `${status} ${JSON.stringify(headers)} ${JSON.stringify(body)}`;
}
