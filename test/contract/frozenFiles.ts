import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'frozen');

export const frozenPath = (name: string): string => join(folder, `${name}.json`);

export const readFrozen = (name: string): unknown =>
  JSON.parse(readFileSync(frozenPath(name), 'utf8')) as unknown;
