import {
  COMMAND_NAMES,
  COMMANDS,
  type CommandArgs,
  type CommandName,
} from '../contract/commands.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ResponseOf } from '../contract/endpoints.ts';
import type { CommandOptions, ServiceSocket } from './createSocket.ts';
import { readRecord } from './readRecord.ts';

/** `place_order` → `placeOrder`. */
type MethodName<C extends string> = C extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<MethodName<Tail>>}`
  : C;

/** `execute` is refused without a key (AUTH-6), so its type asks for it. */
type Options<C extends CommandName> = C extends 'execute'
  ? CommandOptions & { idempotencyKey: string }
  : CommandOptions;

/** Both arguments may be left out where nothing in them is required. */
type Input<C extends CommandName> = C extends 'execute'
  ? [args: CommandArgs<C>, options: Options<C>]
  : object extends CommandArgs<C>
    ? [args?: CommandArgs<C>, options?: Options<C>]
    : [args: CommandArgs<C>, options?: Options<C>];

export type CommandMethod<C extends CommandName> = (
  ...input: Input<C>
) => Promise<ResponseOf<(typeof COMMANDS)[C]>>;

/** One typed method a command of the stream (STR-6): `commands.placeOrder({ symbol, … })`. */
export type Commands = { [C in CommandName as MethodName<C>]: CommandMethod<C> };

/**
 * Makes the stream's commands from their table: what the client's methods are for REST. A method
 * answers the same record and throws the same errors as its endpoint's method by REST, and a key
 * used by one road is known on the other.
 *
 * @throws as {@link readRecord}
 */
export function createCommands(
  socket: Pick<ServiceSocket, 'command'>,
  dialect: Pick<Dialect, 'endpoints'>,
): Commands {
  const methods = COMMAND_NAMES.map((name) => {
    const endpoint = COMMANDS[name];
    const { response } = dialect.endpoints[endpoint];
    const method = async (args: Record<string, unknown> = {}, options: CommandOptions = {}) =>
      readRecord(endpoint, await socket.command(name, args, options), response);
    return [methodName(name), method] as const;
  });
  return Object.fromEntries(methods) as unknown as Commands;
}

const methodName = (name: CommandName): string =>
  name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());
