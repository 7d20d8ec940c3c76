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

/** Returns what the comments lack of the names that sources export. The declarations have the comments of the sources. */
export function undocumented(folder, paths) {
  const program = ts.createProgram(
    paths.map((path) => join(folder, path)),
    options,
  )
  const checker = program.getTypeChecker()
  return paths.flatMap((path) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(folder, path)))
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
      const lacks = lackOf(isAlias ? checker.getAliasedSymbol(exported) : exported, checker)
      return lacks.map((part) => `${path}: ${exported.name} lacks ${part}`)
    })
  })
}

function lackOf(symbol, checker) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const { body } = symbol.declarations?.find(ts.isFunctionDeclaration) ?? {}
  const tags = symbol.getJsDocTags().map(({ name }) => name)
  const required = [body && 'example', body && throws(body) && 'throws'].filter(Boolean)
  return [
    ...(text === '' ? ['a comment'] : []),
    ...required.filter((tag) => !tags.includes(tag)).map((tag) => `@${tag}`),
  ]
}

/** Whether a body contains a `throw`; those of inner functions throw later. */
function throws(node) {
  if (ts.isThrowStatement(node)) return true
  return !ts.isFunctionLike(node) && (ts.forEachChild(node, throws) ?? false)
}
