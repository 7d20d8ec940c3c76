// Which names of the package are not documented: those without a comment, functions without an example, and functions that
// throw and whose comment does not say when.
import { join } from 'node:path'
import ts from 'typescript'

const options = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ['node'],
}

/** Returns the names that modules export without a comment. The paths are those of declarations, below a folder. */
export function undocumented(folder, declarations) {
  return exportsOf(folder, declarations)
    .filter(({ symbol, checker }) => ts.displayPartsToString(symbol.getDocumentationComment(checker)) === '')
    .map(({ place }) => place)
}

/** Returns the functions that sources export without `@example`, or without `@throws` though they contain a `throw`. */
export function incomplete(folder, sources) {
  return exportsOf(folder, sources).flatMap(({ place, symbol }) => {
    const declaration = symbol.declarations?.find(ts.isFunctionDeclaration)
    if (!declaration?.body) return []
    const tags = symbol.getJsDocTags().map(({ name }) => name)
    const required = throws(declaration.body) ? ['example', 'throws'] : ['example']
    return required.filter((tag) => !tags.includes(tag)).map((tag) => `${place} lacks @${tag}`)
  })
}

/** What modules export: aliases are followed to what they stand for. */
function exportsOf(folder, paths) {
  const program = ts.createProgram(
    paths.map((path) => join(folder, path)),
    options,
  )
  const checker = program.getTypeChecker()
  return paths.flatMap((path) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(folder, path)))
    return checker.getExportsOfModule(module).map((symbol) => ({
      checker,
      place: `${path}: ${symbol.name}`,
      symbol: (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol),
    }))
  })
}

/** Whether a body contains a `throw`; those of inner functions throw later. */
function throws(node) {
  if (ts.isThrowStatement(node)) return true
  return !ts.isFunctionLike(node) && (ts.forEachChild(node, throws) ?? false)
}
