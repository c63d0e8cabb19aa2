import { requireFields } from '../contract/failures/requireFields.ts';
import {
  COMMAND_NAMES,
  COMMANDS,
  type CommandArgs,
  type CommandName,
} from '../contract/commands.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ResponseOf } from '../contract/endpoints.ts';
import { createUuid } from '../env/createUuid.ts';
import { needsKey } from './createClient.ts';
import type { CommandOptions, ServiceSocket } from './createSocket.ts';
import { requireCommand } from './requireCall.ts';
import { readRecord } from './readRecord.ts';

/** `place_order` → `placeOrder`. */
type MethodName<C extends string> = C extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<MethodName<Tail>>}`
  : C;

/** Both arguments may be omitted if nothing in them is required. */
type Input<C extends CommandName> =
  object extends CommandArgs<C>
    ? [args?: CommandArgs<C>, options?: CommandOptions]
    : [args: CommandArgs<C>, options?: CommandOptions];

export type CommandMethod<C extends CommandName> = (
  ...input: Input<C>
) => Promise<ResponseOf<(typeof COMMANDS)[C]>>;

/** One typed method per command of the stream (STR-6): `commands.placeOrder({ symbol, … })`. */
export type Commands = { [C in CommandName as MethodName<C>]: CommandMethod<C> };

/**
 * Creates the stream's commands from their table: the counterpart of the client's methods for REST. A method
 * returns the same record and throws the same errors as its endpoint's method by REST, and a key used by one
 * transport is known on the other.
 *
 * ```ts
 * const { socket, close } = openService(paper);
 * const commands = createCommands(socket, defaultDialect);
 * await new Promise<void>((connected) => {
 *   const onStatus = ({ state }: { state: string }): void => void (state === 'open' && connected());
 *   socket.open({ onFrame: () => {}, onFault: () => {}, onStatus });
 * });
 * await commands.placeOrder({ symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' });
 * await close();
 * ```
 *
 * @throws as {@link readRecord}
 */
export function createCommands(
  socket: Pick<ServiceSocket, 'command'>,
  dialect: Pick<Dialect, 'endpoints'>,
): Commands {
  requireFields('createCommands', socket, ['command']);
  const methods = COMMAND_NAMES.map((name) => {
    const endpoint = COMMANDS[name];
    const { response } = dialect.endpoints[endpoint];
    const method = async (args: Record<string, unknown> = {}, options: CommandOptions = {}) => {
      requireCommand(methodName(name), args, options);
      const { idempotencyKey = needsKey(endpoint) ? createUuid() : undefined } = options;
      const exchange = await socket.command(name, args, { ...options, idempotencyKey });
      return readRecord({ endpoint, idempotencyKey }, exchange, response);
    };
    return [methodName(name), method] as const;
  });
  return Object.fromEntries(methods) as unknown as Commands;
}

const methodName = (name: CommandName): string =>
  name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());
