/**
 * `node unexportedNames.js COMPILER ENTRY.d.ts [OTHER.d.ts …]`: what an entry's declarations and their `@throws`
 * name and neither the entry nor the others export, as JSON `[[name, by], …]`. What a module does not export itself is its
 * own and no name, but what that names counts. It asks TypeScript's compiler API, which version 7 has none of.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

const [compiler, entry, ...others] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);
const dist = join(dirname(entry), '..') + sep;
const program = ts.createProgram([entry, ...others], {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  types: [],
  noEmit: true,
});
const checker = program.getTypeChecker();
const resolve = (symbol) =>
  symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
const isOurs = (node) => node.getSourceFile().fileName.startsWith(dist);
const isShared = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;

const exportsOf = (file) =>
  new Map(
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
      .map((symbol) => [resolve(symbol), symbol.name]),
  );
const exported = exportsOf(entry);
const elsewhere = new Map(others.flatMap((file) => [...exportsOf(file)]));
const names = new Set([...exported.values(), ...elsewhere.values()]);
const faults = new Map();

/** Classes and types of the package, those that no entry reaches too: what is thrown may be one of them. */
const declared = new Set();
for (const file of readdirSync(dist, { recursive: true })) {
  if (!/\.(js|d\.ts)$/.test(file)) continue;
  const code = readFileSync(join(dist, file), 'utf8');
  const pattern = /^(?:export |declare |abstract )*(?:class|interface|type) ([A-Z]\w*)/gm;
  for (const [, name] of code.matchAll(pattern)) declared.add(name);
}

function referenced(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  return ts.isTypeQueryNode(node) ? node.exprName : undefined;
}

/**
 * What a comment's `@throws` name, in whatever line. `NotSentError | NoAnswerError what the wire lost;
 * Refusal` names three: a name begins a part, and is one that the package declares or that, with two
 * capitals, is no word of a sentence. What JavaScript has is everybody's.
 */
function thrown(comment) {
  const tags = comment.getText().matchAll(/@throws\s([\s\S]*?)(?=[\s*]@\w|\*\/)/g);
  return [...tags].flatMap(([, text]) => {
    const parts = text.split(/[;|,]|\bor\b/);
    const words = parts.map((part) => /^[\s*{]*([A-Z]\w*)/.exec(part)?.[1]);
    const isName = (word) => declared.has(word) || /^[A-Z][a-z]+[A-Z]/.test(word);
    return words.filter((word) => word && isName(word) && !(word in globalThis));
  });
}

const named = new Set();
const reached = new Set();
/** Once the way leads through what is not exported, only what is thrown there reaches the user. */
function visitAll(symbol, by, isNamed) {
  const seen = isNamed ? named : reached;
  if (seen.has(symbol)) return;
  seen.add(symbol);
  for (const declaration of symbol.declarations ?? []) {
    if (isOurs(declaration)) visit(declaration, by, isNamed);
  }
}

function visit(node, by, isNamed) {
  const isPrivate = ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private;
  if (isPrivate) return;
  const name = referenced(node);
  const symbol = name && resolve(checker.getSymbolAtLocation(name));
  if (symbol && !exported.has(symbol) && !elsewhere.has(symbol)) {
    const isFault = symbol.declarations?.some((each) => isOurs(each) && isShared(each)) ?? false;
    if (isFault && isNamed) faults.set(symbol.name, by);
    visitAll(symbol, `${by}, ${symbol.name}`, isNamed && !isFault);
  }
  for (const comment of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
    for (const word of thrown(comment)) if (!names.has(word)) faults.set(word, `@throws of ${by}`);
  }
  ts.forEachChild(node, (child) => visit(child, by, isNamed));
}

for (const [symbol, name] of exported) visitAll(symbol, name, true);
process.stdout.write(JSON.stringify([...faults].sort()));
