import { commandOf, type CommandTarget } from './commandOf.ts';

/**
 * The command with which an operator settles an intent that the bot can't reconcile.
 *
 * @param target the bot, if it is known
 */
export function settleCommand(key: string, target: CommandTarget = { file: 'CONFIG' }): string {
  return commandOf(target, 'settle', key, '--as accepted|absent', '--reason TEXT');
}
