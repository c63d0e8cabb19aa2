import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  SyntaxKind,
  type BinaryExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import {
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isForOfStatement,
  isIfStatement,
  isImportDeclaration,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isSourceFile,
  isStringLiteral,
  isTemplateExpression,
  isTypeNode,
  isVariableDeclaration,
  isIdentifier,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { root } from '../sourceFiles.ts';
import { stationOf, type Patch } from './Patch.ts';

/** One change of the text of a node. */
interface Change {
  kind: string;
  start: number;
  end: number;
  to: string;
}

/** What each operator is taken for by mistake. */
const OPERATORS: ReadonlyMap<SyntaxKind, readonly [kind: string, to: string]> = new Map([
  [SyntaxKind.LessThanToken, ['boundary', '<=']],
  [SyntaxKind.LessThanEqualsToken, ['boundary', '<']],
  [SyntaxKind.GreaterThanToken, ['boundary', '>=']],
  [SyntaxKind.GreaterThanEqualsToken, ['boundary', '>']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['comparison', '!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['comparison', '===']],
  [SyntaxKind.AmpersandAmpersandToken, ['logic', '||']],
  [SyntaxKind.BarBarToken, ['logic', '&&']],
  [SyntaxKind.PlusToken, ['sign', '-']],
  [SyntaxKind.MinusToken, ['sign', '+']],
  [SyntaxKind.PlusEqualsToken, ['sign', '-=']],
  [SyntaxKind.MinusEqualsToken, ['sign', '+=']],
  [SyntaxKind.AsteriskToken, ['factor', '/']],
  [SyntaxKind.SlashToken, ['factor', '*']],
]);

/** Methods that are taken for one another. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['max', 'min'],
  ['min', 'max'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
]);

/** Methods of lists of which each member counts. */
const OF_EACH = /^(map|flatMap|filter|forEach)$/;

/** What tells one of several from the others: a comparison of it that is left out takes all of them for it. */
const SELECTING = /^(wallet|symbol|instance|side|interval|key|id|\w+Id|name|kind|channel)$/;

/** Calls whose only sense is their effect, which are easily forgotten. */
const FORGETTABLE =
  /^(unsubscribe|close|clear|delete|cancel|abort|dispose|removeListener|removeEventListener|clearTimer|complete|add|set|push)$/;

/** Every dull bug of the sources, by TypeScript's own syntax tree: in an order that no edit of another file changes. */
export function generatePatches(files: readonly string[]): Patch[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] });
    const { program } = snapshot.getProjects()[0]!;
    return files.flatMap((file) => {
      const source = program.getSourceFile(join(root, file));
      return source === undefined ? [] : patchesOf(file, source);
    });
  } finally {
    api.close();
  }
}

function patchesOf(file: string, source: SourceFile): Patch[] {
  const names = new Map<string, number>();
  return changesOf(source, source.text).map(({ kind, start, end, to }) => {
    const was = source.text.slice(start, end);
    const base = `${kind}: ${quoted(source.text, start, end, to)}`;
    const count = (names.get(base) ?? 0) + 1;
    names.set(base, count);
    const name = count === 1 ? base : `${base} (${count})`;
    return { station: stationOf(file), file, name, edit: { start, end, was, to } };
  });
}

const LONGEST = 100;

/** The line after the change, so that the name tells which of several it is. */
function quoted(text: string, start: number, end: number, to: string): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const until = text.indexOf('\n', end);
  const line = text.slice(from, start) + to + text.slice(end, until === -1 ? undefined : until);
  return line.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST);
}

function changesOf(node: Node, text: string): Change[] {
  if (isImportDeclaration(node) || isTypeNode(node)) return [];
  const found = changeOf(node, text);
  node.forEachChild((child) => void found.push(...changesOf(child, text)));
  return found;
}

function changeOf(node: Node, text: string): Change[] {
  const whole = (kind: string, of: Node, to: string): Change[] => [
    { kind, start: startOf(of, text), end: of.end, to },
  ];
  if (isBinaryExpression(node)) {
    const operator = node.operatorToken;
    if (operator.kind === SyntaxKind.QuestionQuestionToken) {
      return [{ kind: 'default', start: node.left.end, end: node.end, to: '' }];
    }
    const [kind, to] = OPERATORS.get(operator.kind) ?? [];
    if (kind === undefined || to === undefined) return [];
    const selected = selection(node, whole);
    const joinsTexts = isText(node.left) || isText(node.right);
    return kind === 'sign' && joinsTexts ? [] : [...whole(kind, operator, to), ...selected];
  }
  if (isForOfStatement(node)) return first(node.expression, text);
  if (isPrefixUnaryExpression(node)) return negations(node, whole);
  if (isIfStatement(node)) return whole('never', node.expression, 'false');
  if (isReturnStatement(node) && node.expression !== undefined) {
    const { kind } = node.expression;
    if (kind === SyntaxKind.TrueKeyword) return whole('answer', node.expression, 'false');
    if (kind === SyntaxKind.FalseKeyword) return whole('answer', node.expression, 'true');
    return [];
  }
  if (isExpressionStatement(node)) return forgotten(node.expression, whole);
  if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
    const { name } = node.expression;
    const other = METHODS.get(name.text);
    if (other !== undefined) return whole('method', name, other);
    return OF_EACH.test(name.text) ? first(node.expression.expression, text) : [];
  }
  if (isVariableDeclaration(node)) return limits(node, whole);
  return [];
}

type Whole = (kind: string, of: Node, to: string) => Change[];

/** Of several, the first alone. */
function first(list: Node, text: string): Change[] {
  const start = startOf(list, text);
  const to = `[...${text.slice(start, list.end)}].slice(0, 1)`;
  return [{ kind: 'first', start, end: list.end, to }];
}

function selection(node: BinaryExpression, whole: Whole): Change[] {
  const { kind } = node.operatorToken;
  const isSame = kind === SyntaxKind.EqualsEqualsEqualsToken;
  if (!isSame && kind !== SyntaxKind.ExclamationEqualsEqualsToken) return [];
  const names = [node.left, node.right].map(nameIn);
  const selects = names.every((name) => name !== undefined && name !== 'undefined');
  if (!selects || !names.some((name) => SELECTING.test(name!))) return [];
  return whole('selection', node, isSame ? 'true' : 'false');
}

/** The last name of a path: `wallet` of `emission.wallet`. */
function nameIn(node: Node): string | undefined {
  const last = isPropertyAccessExpression(node) ? node.name : node;
  return isIdentifier(last) ? last.text : undefined;
}

function negations(node: Node & { operator: SyntaxKind; operand: Node }, whole: Whole): Change[] {
  if (node.operator !== SyntaxKind.ExclamationToken && node.operator !== SyntaxKind.MinusToken) {
    return [];
  }
  const kind = node.operator === SyntaxKind.MinusToken ? 'sign' : 'negation';
  const [change] = whole(kind, node, '');
  const end = node.operand.pos;
  return [{ ...change!, end }];
}

function forgotten(expression: Node, whole: Whole): Change[] {
  if (isAwaitExpression(expression)) {
    const [change] = whole('forgotten await', expression, 'void ');
    return [{ ...change!, end: expression.expression.pos + 1 }];
  }
  if (!isCallExpression(expression)) return [];
  const callee = expression.expression;
  const name = isPropertyAccessExpression(callee) ? callee.name : callee;
  if (!isIdentifier(name) || !FORGETTABLE.test(name.text)) return [];
  return whole('forgotten call', expression, 'void 0');
}

/** A constant in capitals is a limit, one more is beyond it. */
function limits(node: Node & { name: Node; initializer?: Node }, whole: Whole): Change[] {
  const { name, initializer } = node;
  if (initializer === undefined || !isNumericLiteral(initializer) || !isIdentifier(name)) return [];
  if (!/^[A-Z][A-Z_]+$/.test(name.text)) return [];
  return whole('limit', initializer, `(${initializer.text} * 2 + 1)`);
}

const isText = (node: Node): boolean =>
  isStringLiteral(node) ||
  isTemplateExpression(node) ||
  node.kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
  (isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

/** Without the blanks and comments before it. */
function startOf(node: Node, text: string): number {
  const blank = /(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = node.pos;
  blank.test(text);
  return isSourceFile(node) ? 0 : blank.lastIndex;
}

/** A sample that stays the same as long as its patches exist: some of each station. */
export function sampleOf(patches: readonly Patch[], perStation: number): Patch[] {
  const order = ({ file, name }: Patch): string =>
    createHash('sha1').update(`${file}: ${name}`).digest('hex');
  const byStation = Map.groupBy(patches, ({ station }) => station);
  return [...byStation.values()].flatMap((all) =>
    all
      .map((patch) => ({ patch, order: order(patch) }))
      .toSorted((a, b) => (a.order < b.order ? -1 : 1))
      .slice(0, perStation)
      .map(({ patch }) => patch),
  );
}
