import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** Writes files into a new folder and returns their paths. */
export async function writeFiles(files: Record<string, string | Uint8Array>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'trimtab-data-'));
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    paths.push(join(folder, name));
    await writeFile(paths.at(-1)!, content);
  }
  return paths;
}

interface ZipEntry {
  name: string;
  text: string;
  /** What the archive declares, if not the truth. */
  size?: number;
  crc?: number;
}

/** An archive as `zip` writes it: local headers with deflated content, then the directory. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, size, crc } of entries) {
    const plain = Buffer.from(text);
    const packed = deflateRawSync(plain);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc ?? crc32(plain), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(size ?? plain.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, Buffer.from(name)]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const central = [Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, rest, Buffer.from(name)];
    directory.push(Buffer.concat(central));
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
