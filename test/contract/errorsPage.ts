import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAILURES } from '../../src/contract/index.ts';
import { root } from '../sourceFiles.ts';

export const ERRORS_PAGE = 'docs/errors.md';

const HEAD = `# Errors

Every failure that is not the service's own answer has a code. The command line prints it below the
message, and each fault of a configuration has its own in brackets; log lines have it as \`code\`, errors
that are thrown at a program as \`error.code\`. Codes are stable: a message may be worded anew, a code
keeps its meaning. What the service refuses has the service's codes (spec, errors) and is not listed here.

Made from \`FAILURES\` in \`src/contract/failures/\` by \`node test/contract/errorsPage.ts\`.
`;

/** The table as a page; each code is a heading, and so an anchor. */
export function errorsPage(): string {
  const rows = Object.entries(FAILURES).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sections = rows.map(
    ([code, { meaning, remedy }]) => `## ${code}\n\n${meaning}\n\n${remedy}\n`,
  );
  return [HEAD, ...sections].join('\n');
}

if (import.meta.main) writeFileSync(join(root, ERRORS_PAGE), errorsPage());
