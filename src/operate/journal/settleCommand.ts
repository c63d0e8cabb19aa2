/**
 * What a person types to end an intent that the bot can find nothing out about.
 *
 * @param config the bot's YAML, where it is known
 */
export function settleCommand(key: string, config = 'CONFIG'): string {
  const path = /\s/.test(config) ? `'${config}'` : config;
  return `trimtab settle ${path} ${key} --as accepted|absent --reason TEXT`;
}
