import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'
import { buildSync } from 'esbuild'
import { entries, manifest, readText, sourcesIn } from '../testing/documents.ts'
import { root } from '../testing/parts.ts'

/** The manuals of the package, as paths from its root. */
const manuals = ['README.md', ...manifest.files.filter((path) => path.endsWith('.md'))]
/** The documents for the authors of the project. */
const internal = readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => posix.join('.github', path.replaceAll('\\', '/')))
const recipes = 'adapters/README.md'

/** Returns the code blocks of a manual that are examples, with the path in the comment before. `node .ci/readme.mjs` copies them. */
function readBlocks(manual: string) {
  const found = readText(manual).matchAll(
    /^(?:<!-- (\S+) -->\n```\w+|```(?:ts|nginx|haproxy))\n([\s\S]*?)^```$/gm,
  )
  return [...found].map(([block, path = '', code = '']) => ({ block, path, code }))
}

const withoutCode = (document: string) => readText(document).replaceAll(/^```[\s\S]*?^```$/gm, '')

/** Returns the anchors of a document: the ones GitHub and npm derive from its headings, and its explicit ones. */
function listAnchors(document: string): ReadonlySet<string> {
  const text = withoutCode(document)
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase())
  const ofTitles = titles.map((title) => title.replaceAll(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-'))
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)">/g)].map(([, name = '']) => name)
  return new Set([...ofTitles, ...named])
}

describe('the documents', () => {
  for (const document of [...manuals, ...internal])
    it(`have current examples, valid links and short lines: ${document}`, () => {
      for (const { block, path, code } of readBlocks(document)) {
        assert.ok(path && existsSync(join(root, path)), `no comment names the file of this block:\n${block}`)
        assert.equal(code, readText(path), path)
      }
      const links = readText(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)
      for (const [link, path = '', anchor] of links) {
        const target = path === '' ? document : posix.join(posix.dirname(document), path)
        if (manuals.includes(document))
          assert.ok([...manuals, ...manifest.files].includes(target), `${link} leads out of the package`)
        if (anchor !== undefined && target.endsWith('.md'))
          assert.ok(listAnchors(target).has(anchor), `${link} leads to no heading`)
      }
      const [tooLong] = /^(?![|<]).{121,}/m.exec(withoutCode(document)) ?? []
      assert.equal(tooLong, undefined)
    })

  it('keep README.md and the examples short', () => {
    const hasLines = (text: string, most: number) => text.trimEnd().split('\n').length <= most
    assert.ok(hasLines(readText('README.md'), 120))
    const blocks = manuals.flatMap(readBlocks)
    assert.ok(blocks.length > 30)
    for (const { path, code } of blocks) assert.ok(hasLines(code, 40), path)
  })

  it('list the node: modules that each entry imports', () => {
    const rows = readText(recipes).matchAll(/^\| `pet-adoption-service(\S*)` \| (.*) \|$/gm)
    const named = [...rows].map(([, entry, modules]) => [`.${entry}`, modules])
    const imported = entries.map(([entry, path]) => {
      const modules = listNodeModules(join(root, path)).map((name) => `\`${name}\``)
      return [entry, modules.length === 0 ? 'nothing' : modules.join(', ')]
    })
    assert.deepEqual(named, imported)
  })

  /** Returns the `node:` modules that a module of the package imports or uses, itself or through others. */
  function listNodeModules(path: string): readonly string[] {
    const options = { bundle: true, format: 'esm', metafile: true, write: false } as const
    const { metafile, outputFiles } = buildSync({ ...options, external: ['node:*'], entryPoints: [path] })
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.map((found) => found.path),
    )
    const used = outputFiles.flatMap(({ text }) => [...text.matchAll(/getBuiltinModule\("([^"]+)"\)/g)])
    return [...new Set([...imported, ...used.map(([, name = '']) => name)])].sort()
  }

  /** Returns the rows of the tables of a section. */
  function readRows(document: string, title: string): readonly string[] {
    const [, section = ''] = readText(document).split(`\n## ${title}\n`)
    return (section.split('\n## ', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  }

  /** The members of the interfaces of a source whose names end in `Options`, `Times` or `Policy`. */
  function listMembers(path: string): readonly string[] {
    const interfaces = readText(path).matchAll(
      /^export interface \w*(?:Options|Times|Policy)\b[^{]*\{([\s\S]*?)^\}/gm,
    )
    return [...interfaces].flatMap(([, body = '']) =>
      [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name),
    )
  }

  const sources = [...sourcesIn('core'), ...sourcesIn('adapters')]

  it('explain every option', () => {
    const rows = readRows(recipes, 'Options').join()
    const elsewhere =
      /^adapters\/(?:circuit-breaker|client|contracts|standalone)\b|\/(?:errors|idempotency|writer)\.ts$/
    const members = sources.filter((path) => !elsewhere.test(path)).flatMap(listMembers)
    assert.ok(members.length > 50)
    for (const name of members) assert.ok(rows.includes(`\`${name}\``), name)
  })

  it('list only existing messages under troubleshooting', () => {
    const shown = sources
      .map(readText)
      .join('\n')
      .replaceAll(/\$\{[^}]*\}/g, '…') // what a template inserts
    const titles = ['Errors of the library', 'Errors of the server and its commands']
    const rows = titles.flatMap((title) => readRows('adapters/TROUBLESHOOTING.md', title))
    const cells = rows.map((row) => row.split(' | ', 1)[0] ?? '')
    const messages = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
    assert.ok(messages.length > 30)
    for (const part of messages.flatMap((message) => message.split('…').map((part) => part.trim())))
      assert.ok(part.length <= 3 || shown.includes(part), part)
  })
})
