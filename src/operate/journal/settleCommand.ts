/**
 * The command with which an operator settles an intent that the bot can't reconcile.
 *
 * @param config the bot's YAML, if it is known
 */
export function settleCommand(key: string, config = 'CONFIG'): string {
  const path = /\s/.test(config) ? `'${config}'` : config;
  return `trimtab settle ${path} ${key} --as accepted|absent --reason TEXT`;
}
