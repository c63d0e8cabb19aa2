import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UnboundedFileError, openRegularFile, readRegularFile } from '../../src/env/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-regular-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a regular file', () => {
  test.each([0, 1, 4_095, 4_096, 4_097])('of %i bytes is read whole', async (length) => {
    const path = join(folder, `${length}.bin`);
    const bytes = Buffer.from(Array.from({ length }, (_none, at) => at % 251));
    writeFileSync(path, bytes);
    expect(Buffer.from(await readRegularFile(path, 4_097))).toEqual(bytes);
  });

  test('is refused above the size limit, and read at it', async () => {
    const path = join(folder, 'limit.bin');
    writeFileSync(path, Buffer.alloc(2_048));
    expect(await readRegularFile(path, 2_048)).toHaveLength(2_048);
    const tooMuch = readRegularFile(path, 2_047);
    await expect(tooMuch).rejects.toThrow(UnboundedFileError);
    await expect(readRegularFile(path, 1_024)).rejects.toThrow('larger than 1 KiB');
  });
});

describe.runIf(process.platform === 'linux')('an endless file is refused at once', () => {
  test('a file without a size is bounded while it is read', async () => {
    await expect(readRegularFile('/proc/self/maps', 64)).rejects.toThrow('larger than 64 bytes');
    expect((await readRegularFile('/proc/self/maps', 2 ** 24)).length).toBeGreaterThan(64);
  });

  test('a device, a pipe without a writer, and a folder', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const [path, what] of [
      ['/dev/zero', 'a device'],
      [pipe, 'a pipe'],
      [folder, 'directory'],
    ] as const) {
      await expect(readRegularFile(path, 10)).rejects.toThrow(what);
      expect(() => openRegularFile(path)).toThrow(what);
    }
  });
});
