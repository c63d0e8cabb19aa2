import { Secret, type BotConfig } from '../../config/index.ts';
import { keepSecret, secretPartsOf, withoutSecrets } from '../../env/index.ts';

/** The second line of defence: removes every secret of the configuration from a text, however it got there. */
export interface Redaction {
  (text: string): string;
  /** One more secret; none is ever forgotten, since what was logged with a replaced one may still be sent. */
  add(secret: string): void;
}

export function createRedaction(secrets: readonly string[]): Redaction {
  secrets.forEach(keepSecret);
  return Object.assign((text: string) => withoutSecrets(text), { add: keepSecret });
}

/** Every secret that a bot's configuration holds, wherever it is, and the parts of addresses that are secret by themselves. */
export function secretsOf(config: BotConfig): string[] {
  const found: Secret[] = [];
  const seen = new Set<object>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Secret) found.push(value);
    else for (const part of Object.values(value)) look(part);
  };
  look(config);
  return found.flatMap((secret) => secretPartsOf(secret.reveal()));
}
