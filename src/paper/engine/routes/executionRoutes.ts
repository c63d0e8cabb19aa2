import {
  algoRecords,
  type BatchExecutionsRequest,
  type ExecuteRequest,
  type ExecutionAction,
} from '../../../contract/index.ts';
import { controlExecution } from '../../algos/controls.ts';
import type { Execution } from '../../algos/Execution.ts';
import { launchExecution } from '../../algos/launch.ts';
import { executionRecord } from '../../algos/publishExecution.ts';
import type { Call, Handler, HandlerTable } from '../../core/Engine.ts';
import { paginate } from '../../core/paginate.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import type { Account } from '../../venue/Account.ts';
import { orderRecord } from '../../venue/publish.ts';
import { accountOf } from '../snapshotOf.ts';
import type { EngineState } from '../EngineState.ts';
import { pageOfLedger, pageOfNewest } from './pageOf.ts';
import { resultOf } from './resultOf.ts';

/** Launch, lifecycle and introspection of executions (EXE-1 to EXE-8). */
export function executionRoutes(engine: EngineState): HandlerTable {
  const { pacemakerMinSeconds, pageDefault } = engine.dialect.limits;
  const of = (call: Call): Account => accountOf(engine, call.wallet);
  const named = (call: Call): Execution => findExecution(of(call), call.pathParams['id']!);
  const control =
    (action: ExecutionAction): Handler =>
    (call) => {
      controlExecution(engine, of(call), named(call), action);
      return { body: executionRecord(of(call), named(call)) };
    };
  return {
    'executions.algos': (call) => ({
      body: paginate(algoRecords(pacemakerMinSeconds), call.query, pageDefault),
    }),
    'executions.launch': (call) => {
      const { idempotencyKey } = call;
      const request = call.body as ExecuteRequest;
      const execution = launchExecution(engine, of(call), { request, idempotencyKey });
      return { body: executionRecord(of(call), execution) };
    },
    'executions.list': (call) => ({
      body: pageOfLedger(engine, call, {
        ledger: of(call).executions,
        filterable: ({ record }) => ({ ...record, time: record.created_time }),
        show: (execution) => executionRecord(of(call), execution),
      }),
    }),
    'executions.get': (call) => ({ body: executionRecord(of(call), named(call)) }),
    'executions.orders': (call) => ({ body: listOrders(engine, call, of(call), named(call)) }),
    'executions.fills': (call) => ({ body: listFills(engine, call, of(call), named(call)) }),
    'executions.events': (call) => ({
      body: pageOfNewest(engine, call, {
        gathered: named(call).events,
        show: (event) => event,
        filterable: ({ time }) => ({ time }),
      }),
    }),
    'executions.stop': control('stop'),
    'executions.pause': control('pause'),
    'executions.resume': control('resume'),
    'executions.completeAtMarket': control('complete-at-market'),
    'executions.markComplete': control('mark-complete'),
    'executions.batch': (call) => ({ body: controlMany(engine, call, of(call)) }),
  };
}

function findExecution(account: Account, id: string): Execution {
  const clientId = id.startsWith('client:') ? id.slice('client:'.length) : null;
  const executionId = clientId === null ? id : account.clientExecutionIds.get(clientId);
  const execution = executionId === undefined ? undefined : account.executions.get(executionId);
  if (execution === undefined) throw new ServiceError('not_found', { details: { id } });
  return execution;
}

function listOrders(engine: EngineState, call: Call, account: Account, execution: Execution) {
  return pageOfNewest(engine, call, {
    gathered: execution.orderIds,
    show(id) {
      const order = account.orders.get(id);
      return order && orderRecord(account, order);
    },
    filterable: (row) => ({ ...row, time: row.created_time }),
  });
}

function listFills(engine: EngineState, call: Call, account: Account, execution: Execution) {
  return pageOfNewest(engine, call, {
    gathered: execution.fillIds,
    show: (id) => account.fills.get(id),
    filterable: (fill) => fill,
  });
}

/** Each id on its own: a refusal does not affect the others. */
function controlMany(engine: EngineState, call: Call, account: Account) {
  const { action, ids } = call.body as BatchExecutionsRequest;
  const results = ids.map((id) =>
    resultOf(id, () => controlExecution(engine, account, findExecution(account, id), action)),
  );
  return { results };
}
