import { pathToFileURL } from 'node:url';
import type { BotConfig } from '../../config/index.ts';
import { reasonOf } from '../../env/index.ts';
import { createDialect, type Dialect, type DialectModule } from '../../contract/index.ts';
import type { FreshImport } from '../../strategy/FreshImport.ts';
import { importAsModule } from '../../strategy/importAsModule.ts';
import { failed, type RunResult } from './RunFailure.ts';

/** The dialect of a configuration (DIAL-1): defaults, then the user's module, then `dialect:`. */
export async function loadDialect(
  config: BotConfig,
  fresh?: FreshImport,
): Promise<RunResult<Dialect>> {
  const file = config.dialectModule;
  if (file === null) {
    try {
      return { ok: true, value: createDialect(config.dialect) };
    } catch (error) {
      return failed('TRIMTAB_DIALECT_UNUSABLE', `${config.file}: dialect: ${reasonOf(error)}`);
    }
  }
  try {
    const loaded = (await importAsModule(pathToFileURL(file).href, fresh)) as { default?: unknown };
    if (typeof loaded.default !== 'object' || loaded.default === null) {
      return failed(
        'TRIMTAB_DIALECT_UNUSABLE',
        `${file}: no default export.\n  Export { values?, shapes? } as the default.`,
      );
    }
    return { ok: true, value: createDialect(config.dialect, loaded.default as DialectModule) };
  } catch (error) {
    const reason = reasonOf(error);
    return failed(
      'TRIMTAB_DIALECT_UNUSABLE',
      `${file}: the dialect module can't be used: ${reason}`,
    );
  }
}
