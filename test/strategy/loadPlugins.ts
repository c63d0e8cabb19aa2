/** A process that loads plugins as a bot does: takes `{ use, baseDir, params }`, returns the result. */
import { checkParams, loadStrategy } from '../../src/strategy/index.ts';

interface Asked {
  use: string;
  baseDir: string;
  params: object;
}

process.on('message', async ({ use, baseDir, params }: Asked) => {
  const loaded = await loadStrategy(use, { baseDir });
  if (!loaded.ok) return process.send!(loaded);
  const { strategy } = loaded.value;
  const checked = checkParams(strategy, params);
  return process.send!(
    checked.ok ? { ok: true, name: strategy.name, params: checked.value } : checked,
  );
});
