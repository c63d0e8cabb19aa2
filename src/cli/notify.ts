import { Command } from 'commander';
import { loadConfig } from '../config/index.ts';
import { sendTestMessages, type TestedChannel } from '../operate/notify/index.ts';
import { CommandFailure, configFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { say } from './output/say.ts';

const EXAMPLES = `
It needs what the bot's configuration refers to: the environment that the bot is started with. The bot itself need not
run. Exits with 1 if a channel did not take the message.

Examples:
  trimtab notify live.yaml
`;

/** `trimtab notify`: whether alerts would arrive. */
export function createNotifyCommand(): Command {
  return new Command('notify')
    .description('send one test message to each channel of operate.notify')
    .argument('<config>', "the bot's YAML")
    .addHelpText('after', EXAMPLES)
    .action(notify);
}

async function notify(path: string): Promise<void> {
  const loaded = await loadConfig(path, { allowLive: true });
  if (!loaded.ok) throw configFailure(loaded.faults);
  const { config } = loaded;
  const tested = await sendTestMessages(config, { env: createCliEnv('warn', true) });
  if (tested.length === 0) {
    const message = `${config.name} has no channels: operate.notify is missing or empty.`;
    throw new CommandFailure('TRIMTAB_NOTIFY_FAILED', message);
  }
  await say(tested.map(describe).join(''));
  const failed = tested.filter(({ delivery }) => delivery.kind !== 'delivered');
  if (failed.length === 0) return;
  const names = failed.map(({ name }) => name).join(', ');
  throw new CommandFailure('TRIMTAB_NOTIFY_FAILED', `Not delivered: ${names}.`);
}

function describe({ name, delivery }: TestedChannel): string {
  return `${name}: ${delivery.kind === 'delivered' ? 'delivered' : delivery.reason}\n`;
}
