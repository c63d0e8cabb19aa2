import { formatFault, loadConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { loadDialect } from '../../operate/run/index.ts';
import type { ReadRecord } from '../../runtime/index.ts';
import { connectService } from '../../service/index.ts';

export interface RecordReaderOptions {
  /** The bot's YAML. */
  path: string;
  journal: string | undefined;
  env: Env;
}

/**
 * Reads records with the bot's own key, for a command on a bot that does not run. The key is looked for when something
 * is read: most commands need none, and the operator's terminal may lack it.
 */
export function createRecordReader({ path, journal, env }: RecordReaderOptions): {
  read: ReadRecord;
  close(): Promise<void>;
} {
  let service: ReturnType<typeof connectService> | undefined;

  async function connect(): Promise<typeof service | string> {
    const overrides = journal === undefined ? {} : { journal };
    const loaded = await loadConfig(path, { allowLive: true, overrides });
    if (!loaded.ok) return loaded.faults.map(formatFault).join('; ');
    const { config } = loaded;
    if (config.link.kind === 'paper') return 'its paper service ended with its process';
    const dialect = await loadDialect(config);
    if (!dialect.ok) return dialect.failure.message;
    const { baseUrl, wsUrl, keyId, secret } = config.link;
    const address = { baseUrl, wsUrl, keyId, secret: secret.reveal() };
    return connectService(address, { env, dialect: dialect.value });
  }

  return {
    async read(request) {
      const found = service ?? (await connect());
      if (typeof found === 'string') return { kind: 'not_sent', reason: found };
      service = found;
      return service!.http.request(request);
    },
    async close() {
      await service?.http.close();
    },
  };
}
