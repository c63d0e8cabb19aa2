/** A process that loads plugins as a bot does: takes `{ use, baseDir, params }`, returns the result. */
import { checkParams, loadStrategy } from '../../src/strategy/index.ts';

interface Asked {
  use: string;
  baseDir: string;
  params: object;
}

process.on('message', (asked: Asked) => void load(asked));

async function load({ use, baseDir, params }: Asked): Promise<void> {
  const loaded = await loadStrategy(use, { baseDir });
  if (!loaded.ok) return void process.send!(loaded);
  const { strategy } = loaded.value;
  const checked = checkParams(strategy, params);
  process.send!(checked.ok ? { ok: true, name: strategy.name, params: checked.value } : checked);
}
