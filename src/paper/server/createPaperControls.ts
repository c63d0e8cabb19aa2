import type { Env } from '../../env/index.ts';
import { faultOf } from '../core/faultOf.ts';
import { MAIN_WALLET } from '../core/createPaperCore.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import { readJson } from '../core/readJson.ts';
import { requireFieldsOnce } from '../core/requireFieldsOnce.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { createCredentials } from './createCredentials.ts';
import type { Faults } from './createFaults.ts';
import type { Replay } from './createReplay.ts';
import type { Streams } from './createStreams.ts';
import { faultsSchemaOf } from './faultSpec.ts';
import {
  advanceRequest,
  checked,
  connectionRequest,
  keyRequest,
  speedRequest,
  targetOf,
  transferRequest,
} from './controlRequests.ts';

export interface ControlRequest {
  method: string;
  /** Without query. */
  path: string;
  bodyText: string;
  /** Whether the peer is on this machine; others are refused. */
  fromLoopback: boolean;
}

export interface ControlResponse {
  status: number;
  body: unknown;
}

export interface ControlParts {
  core: PaperCore;
  replay: Replay;
  streams: Streams;
  faults: Faults;
  env: Pick<Env, 'clock' | 'log'>;
}

/**
 * The controls of the paper service (conventions §7): not part of v1, and absent from any real service.
 */
export type PaperControls = (request: ControlRequest) => Promise<ControlResponse>;

export type Control = (input: {
  body: unknown;
  id: string;
}) => Promise<ControlResponse> | ControlResponse;

export function createPaperControls(
  parts: ControlParts,
  more: Readonly<Record<string, Control>> = {},
): PaperControls {
  const table: Readonly<Record<string, Control>> = { ...controlTable(parts), ...more };
  return async ({ method, path, bodyText, fromLoopback }) => {
    if (!fromLoopback) return forbidden();
    try {
      const control = find(table, method, path);
      const { value: body, repeated } = readJson(bodyText === '' ? '{}' : bodyText);
      requireFieldsOnce(repeated);
      return await control.run({ body, id: control.id });
    } catch (error) {
      const { status, fault } = faultOf(error, parts.env.log, path);
      return { status, body: { error: fault, request_id: 'paper' } };
    }
  };
}

/** Rows are `METHOD /path`; `{id}` stands for the last segment. */
function find(
  table: Readonly<Record<string, Control>>,
  method: string,
  path: string,
): { run: Control; id: string } {
  const slash = path.lastIndexOf('/');
  const id = decoded(path.slice(slash + 1));
  for (const row of [path, `${path.slice(0, slash)}/{id}`]) {
    const run = table[`${method} ${row}`];
    if (run !== undefined) return { run, id };
    const others = Object.keys(table).filter((name) => name.endsWith(` ${row}`));
    if (others.length > 0) throw new ServiceError('method_not_allowed');
  }
  throw new ServiceError('not_found');
}

/** @throws ServiceError `not_found` if the percent-encoding is invalid */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ServiceError('not_found');
  }
}

function controlTable(parts: ControlParts): Record<string, Control> {
  const { core, replay, streams, faults, env } = parts;
  const faultList = (): unknown => ({ items: faults.list(), next_cursor: null });
  return {
    'POST /paper/keys': ({ body }) => {
      const { connection_id: connectionId, tier, ...rest } = checked(keyRequest, body);
      const credentials = createCredentials();
      const request = {
        ...rest,
        ...(connectionId === undefined ? {} : { connectionId }),
        ...(tier === undefined ? {} : { tier }),
      };
      const key = core.addKey(request, credentials, env.clock.wallNow());
      const { secret } = credentials;
      return { status: 201, body: { ...keyRecord(key), secret } };
    },
    'GET /paper/keys': () => ({
      status: 200,
      body: { items: core.keyring.list().map(keyRecord), next_cursor: null },
    }),
    'DELETE /paper/keys/{id}': ({ id }) => {
      const key = core.keyring.find(id);
      if (key === undefined) throw new ServiceError('not_found');
      core.keyring.revoke(id);
      streams.closeKey(id);
      return { status: 200, body: keyRecord(key) };
    },
    'POST /paper/connections': ({ body }) => {
      const { label, balance, status } = checked(connectionRequest, body);
      return { status: 201, body: core.addConnection(label, balance, status) };
    },
    'GET /paper/connections': () => ({
      status: 200,
      body: { items: core.connections.list(), next_cursor: null },
    }),
    'POST /paper/transfers': ({ body }) => {
      const { wallet = MAIN_WALLET, amount } = checked(transferRequest, body);
      if (core.connections.find(wallet) === undefined) throw new ServiceError('unknown_wallet');
      core.engine.transfer(wallet, amount);
      return { status: 201, body: { wallet, amount, time: core.engine.now } };
    },
    'GET /paper/replay': () => ({ status: 200, body: replay.record() }),
    'POST /paper/replay/advance': async ({ body }) => {
      const request = checked(advanceRequest, body);
      const target = (now: number): number => targetOf(request, now);
      const { until, apart_from: apartFrom } = request;
      return { status: 200, body: await replay.advance(target, until === 'event', apartFrom) };
    },
    'POST /paper/replay/speed': ({ body }) => ({
      status: 200,
      body: replay.setSpeed(checked(speedRequest, body).speed),
    }),
    'POST /paper/faults': ({ body }) => {
      const specs = checked(faultsSchemaOf(body), body);
      faults.add(Array.isArray(specs) ? specs : [specs]);
      return { status: 201, body: faultList() };
    },
    'GET /paper/faults': () => ({ status: 200, body: faultList() }),
    'DELETE /paper/faults': () => {
      faults.clear();
      return { status: 200, body: faultList() };
    },
    // Sockets are lost and running executions interrupted; state is kept.
    'POST /paper/restart': () => {
      streams.closeAll(1012, 'service restart');
      core.engine.interruptExecutions();
      return { status: 200, body: { restarted: true, time: core.engine.now } };
    },
  };
}

/** A key as lists show it: never its secret. */
function keyRecord(key: ReturnType<PaperCore['addKey']>): Record<string, unknown> {
  const { keyId: key_id, label, scopes, connectionId: connection_id, tier } = key;
  return { key_id, label, scopes, connection_id, tier, created_time: key.createdTime };
}

function forbidden(): ControlResponse {
  const message = 'The controls of the paper service answer to this machine only.';
  return {
    status: 403,
    body: { error: { code: 'loopback_only', message, details: {} }, request_id: 'paper' },
  };
}
