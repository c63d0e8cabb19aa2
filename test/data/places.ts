import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sourceFiles.ts';

/** The extracts beside this file: what every run of the tests needs, as a path. */
export const EXTRACTS = import.meta.dirname;

/** The whole collection that the extracts are of. It isn't part of the repository. */
export const COLLECTION = join(root, '../shared/data');
export const haveCollection = existsSync(join(COLLECTION, 'INDEX.md'));
