// Finds the exports of the package that have no comment for an editor to show.
import { join } from 'node:path'
import ts from 'typescript'

/** Returns the names that declarations of a folder export without a comment. */
export function undocumented(folder, declarations) {
  const program = ts.createProgram(
    declarations.map((path) => join(folder, path)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [] },
  )
  const checker = program.getTypeChecker()
  return declarations.flatMap((path) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(folder, path)))
    return checker
      .getExportsOfModule(module)
      .filter((symbol) => commentOf(symbol, checker) === '')
      .map(({ name }) => `${path}: ${name}`)
  })
}

function commentOf(symbol, checker) {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
  const declared = isAlias ? checker.getAliasedSymbol(symbol) : symbol
  return ts.displayPartsToString(declared.getDocumentationComment(checker))
}
