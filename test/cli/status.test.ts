import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { controlFilesOf, writeWhole, type Pulse } from '../../src/operate/control/controlFiles.ts';
import { pulseOf } from './pulseOf.ts';

let folder: string;
let config: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-status-'));
  config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    `name: remote
link: { kind: paper_service, base_url: "http://127.0.0.1:1", key_id: vk_a, secret: { env: TRIMTAB_TEST_NONE } }
strategies: [{ name: trend, use: ./own.ts, symbols: [BTC] }]
journal: ./bot.sqlite
`,
  );
});
afterEach(() => {
  process.exitCode = undefined;
  rmSync(folder, { recursive: true });
});

const beat = (more?: Partial<Pulse>): void =>
  writeWhole(controlFilesOf(join(folder, 'bot.sqlite')).pulse, pulseOf(more));

test.each([
  ['well', {}, 3],
  ['degraded', { level: 'L1' }, 1],
  ['down', { ended: 'in_order' }, 2],
] as const)(
  'what is %s and can not be written keeps its code, and only a good one becomes a failure',
  async (_state, more, code) => {
    beat(more);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation(() => {
      process.stdout.emit('error', full);
      return true;
    });
    onTestFinished(() => spy.mockRestore());
    process.exitCode = undefined;
    let said = '';
    const streams = { out: () => {}, err: (text: string) => void (said += text) };
    expect(await main(['status', config], streams)).toBe(code);
    expect(said).toContain("The standard output can't be written");
  },
);
