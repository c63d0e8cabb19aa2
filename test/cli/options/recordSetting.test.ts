import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { root } from '../../sourceFiles.ts';

afterEach(() => void vi.restoreAllMocks());

test.each([['check'], ['sweep']])('%s records nothing, and reports that', async (command) => {
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said += String(text)), true));
  const streams = { out: () => {}, err: (text: string) => void (said += text) };
  const config = join(root, 'configs/demo.yaml');
  const code = await main([command, config, '--set', 'record=run.jsonl'], streams);
  expect(code).toBe(2);
  expect(said).toContain(`--set record=: ${command} runs many backtests and records none of them.`);
  expect(said).toContain('trimtab backtest CONFIG --set record=FILE');
});
