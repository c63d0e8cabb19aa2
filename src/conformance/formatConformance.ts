import { requireFields } from '../contract/failures/requireFields.ts';
import { counted } from '../env/index.ts';
import type {
  CheckResult,
  ClauseResult,
  ConformanceResult,
  SilentResult,
} from './runConformance.ts';

const WORDS = { holds: 'holds', differs: 'differs', inconclusive: 'inconclusive' } as const;
const ID_WIDTH = 9;
const WORD_WIDTH = 16;
const INDENT = ' '.repeat(ID_WIDTH);

/**
 * The result as text: clause by clause, then the silent points, then the totals.
 *
 * ```ts
 * const { base_url: baseUrl, ws_url: wsUrl, key_id: keyId, secret } = paper;
 * const target = { baseUrl, wsUrl, keyId, secret };
 * const result = await runConformance({ ...target, isReadOnly: true, only: ['AUTH-1'] });
 * formatConformance(result).includes('AUTH-1'); // => true
 * ```
 */
export function formatConformance(result: ConformanceResult): string {
  requireFields('formatConformance', result, ['target', 'summary', 'clauses', 'silent']);
  // A result that was stored before this field was has none.
  const { target, summary, clauses, silent, left = [] } = result;
  const kind = target.paper ? ' (a paper service)' : '';
  const mode = target.read_only ? ', read-only' : '';
  const { holds, differs, inconclusive } = summary;
  const sum = `${clauses.length} clauses: ${holds} hold, ${differs} differ, ${inconclusive} inconclusive.`;
  // The exit code is 0 where nothing differs, so that what was not decided must not look like what holds.
  const undecided =
    inconclusive === 0
      ? []
      : [
          `Not decided: ${inconclusive} of ${counted(clauses.length, 'clause')}${undecidedReason(result)}`,
        ];
  return [
    `${target.base_url}${kind}${mode}`,
    '',
    ...clauses.flatMap(clauseLines),
    '',
    'Where the spec is silent (DIAL-2):',
    ...silent.map(silentLine),
    ...(left.length === 0 ? [] : ['', 'Left on the service:', ...left.map((line) => `  ${line}`)]),
    '',
    sum,
    ...undecided,
    '',
  ].join('\n');
}

/** Those of a read-only run are decided by one that writes; of any other, each says above what it lacked. */
function undecidedReason({ target }: ConformanceResult): string {
  return target.read_only
    ? '. The run was read-only: one with --write decides more, and places orders.'
    : '; each says above what it lacked.';
}

function clauseLines({ id, title, result, checks }: ClauseResult): string[] {
  const head = id.padEnd(ID_WIDTH) + WORDS[result].padEnd(WORD_WIDTH) + title;
  if (result === 'holds') return [head];
  return [head, ...checks.flatMap(checkLines)];
}

function checkLines(check: CheckResult): string[] {
  const { title } = check;
  if (check.result === 'holds') return [`${INDENT}+ ${title}`];
  if (check.result === 'inconclusive') return [`${INDENT}? ${title}: ${check.why}`];
  return [
    `${INDENT}- ${title}`,
    `${INDENT}    expected  ${check.expected}`,
    `${INDENT}    got       ${check.got}`,
    `${INDENT}    request   ${check.request}`,
  ];
}

function silentLine({ point, section, expected, result, found }: SilentResult): string {
  const word = result === 'inconclusive' ? 'inconclusive' : result;
  const left = `  ${point.padEnd(36)}${section.padEnd(6)}${word.padEnd(WORD_WIDTH)}`;
  return `${left}${result === 'as expected' ? found : `${found} (ours: ${expected})`}`;
}
