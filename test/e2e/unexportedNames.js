/**
 * `node unexportedNames.js COMPILER ENTRY.d.ts`: what an entry's declarations and their `@throws` name
 * and the entry does not export, as JSON `[[name, by], …]`. It asks TypeScript's compiler API, which
 * version 7 has none of. What a module does not export itself is its own and no name.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const [compiler, entry] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);
const dist = join(dirname(entry), '..');
const program = ts.createProgram([entry], {
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

const source = program.getSourceFile(entry);
const exported = new Map(
  checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((symbol) => [resolve(symbol), symbol.name]),
);
const names = new Set(exported.values());
const faults = new Map();

function referenced(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  return ts.isTypeQueryNode(node) ? node.exprName : undefined;
}

/** `NotSentError | NoAnswerError what the wire lost` names two; what JavaScript has is everybody's. */
function thrown(tag) {
  const text = tag.getSourceFile().text.slice(tag.pos, tag.end);
  const words = text.match(/\b(?:[A-Z][a-z]+){2,}\b/g) ?? [];
  return words.filter((word) => /(?:Error|Refusal)$/.test(word) && !(word in globalThis));
}

function visit(node, by) {
  const isPrivate = ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private;
  if (isPrivate) return;
  const name = referenced(node);
  const symbol = name && resolve(checker.getSymbolAtLocation(name));
  const declared = symbol?.declarations?.filter((each) => isOurs(each) && isShared(each)) ?? [];
  if (declared.length > 0 && !exported.has(symbol)) faults.set(symbol.name, by);
  for (const tag of ts.getJSDocTags(node)) {
    if (tag.tagName.text !== 'throws') continue;
    for (const word of thrown(tag)) if (!names.has(word)) faults.set(word, `@throws of ${by}`);
  }
  ts.forEachChild(node, (child) => visit(child, by));
}

for (const [symbol, name] of exported) {
  for (const declaration of symbol.declarations ?? []) {
    if (isOurs(declaration)) visit(declaration, name);
  }
}
process.stdout.write(JSON.stringify([...faults].sort()));
