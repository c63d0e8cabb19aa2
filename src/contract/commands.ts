import {
  ENDPOINTS,
  type BodyOf,
  type EndpointId,
  type PathParamsOf,
  type QueryOf,
} from './endpoints.ts';

/**
 * WebSocket commands (STR-6): each is an endpoint over another transport, with the same scope, weight and
 * shapes. `args` = the REST body plus path parameters (and, for reads, the query).
 */
export const COMMANDS = {
  get_positions: 'positions.list',
  get_balances: 'account.balances',
  get_orders: 'orders.list',
  get_fills: 'orders.fills',
  place_order: 'orders.place',
  cancel_order: 'orders.cancel',
  modify_order: 'orders.modify',
  bulk_cancel: 'orders.bulkCancel',
  execute: 'executions.launch',
  set_position_tpsl: 'positions.attachLegs',
  batch_executions: 'executions.batch',
  stop_all_monitors: 'monitors.stopAll',
  pause_all_monitors: 'monitors.pauseAll',
  resume_all_monitors: 'monitors.resumeAll',
  set_leverage: 'leverage.set',
} as const satisfies Record<string, EndpointId>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

type Endpoint<C extends CommandName> = (typeof COMMANDS)[C];

type BodyArgs<E extends EndpointId> = BodyOf<E> extends undefined ? unknown : BodyOf<E>;
/** The empty query's type forbids every key, so it must not be intersected with the other arguments. */
type QueryArgs<E extends EndpointId> = string extends keyof QueryOf<E> ? unknown : QueryOf<E>;

/** Arguments of a command: body, path parameters and query in one object. */
export type CommandArgs<C extends CommandName> = BodyArgs<Endpoint<C>> &
  Record<PathParamsOf<Endpoint<C>>, string> &
  QueryArgs<Endpoint<C>>;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

const PATH_PARAM = /\{(\w+)\}/g;

/** Splits a command's args into the endpoint's path parameters, query and body. */
export function splitArgs(
  command: CommandName,
  args: Readonly<Record<string, unknown>>,
): {
  endpoint: EndpointId;
  pathParams: Record<string, unknown>;
  rest: Record<string, unknown>;
} {
  const endpoint = COMMANDS[command];
  const names = [...ENDPOINTS[endpoint].path.matchAll(PATH_PARAM)].map((match) => match[1]);
  const entries = Object.entries(args);
  return {
    endpoint,
    pathParams: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  };
}
