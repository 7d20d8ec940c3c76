import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'
import { buildSync } from 'esbuild'
import { entries, listSources, manifest, readText } from '../testing/documents.ts'
import { root } from '../testing/parts.ts'

/** The documents in the package. */
const manuals = ['README.md', ...manifest.files.filter((path) => path.endsWith('.md'))]
/** Documents for contributors, which are not in the package. */
const repositoryDocuments = readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => posix.join('.github', path.replaceAll('\\', '/')))
const options = 'adapters/OPTIONS.md'

/**
 * Returns the code blocks of a manual, with the file that a comment above each names. `node .ci/readme.mjs` copies the
 * files into the manuals.
 */
function readBlocks(manual: string) {
  const found = readText(manual).matchAll(
    /^(?:<!-- (\S+) -->\n```\w+|```(?:ts|nginx|haproxy))\n([\s\S]*?)^```$/gm,
  )
  return [...found].map(([block, path = '', code = '']) => ({ block, path, code }))
}

const withoutCode = (document: string) => readText(document).replaceAll(/^```[\s\S]*?^```$/gm, '')

/** Lists the anchors in a document. GitHub and npm derive some from headings, others are explicit. */
function listAnchors(document: string): ReadonlySet<string> {
  const text = withoutCode(document)
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase())
  const headingAnchors = titles.map((title) =>
    title.replaceAll(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-'),
  )
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)">/g)].map(([, name = '']) => name)
  return new Set([...headingAnchors, ...named])
}

describe('the manuals', () => {
  for (const document of [...manuals, ...repositoryDocuments])
    it(`have current code and valid links in ${document}`, () => {
      for (const { block, path, code } of readBlocks(document)) {
        assert.ok(
          path && existsSync(join(root, path)),
          `a comment above this block must name its file:\n${block}`,
        )
        assert.equal(code, readText(path), path)
      }
      const links = readText(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)
      for (const [link, path = '', anchor] of links) {
        const target = path === '' ? document : posix.join(posix.dirname(document), path)
        // Only README.md, which is also the repository's start page, may link to documents for contributors.
        const targets = [
          ...manuals,
          ...manifest.files,
          ...(document === 'README.md' ? repositoryDocuments : []),
        ]
        if (manuals.includes(document))
          assert.ok(targets.includes(target), `${link} points outside the package`)
        if (anchor !== undefined && target.endsWith('.md'))
          assert.ok(listAnchors(target).has(anchor), `${link} points to a missing heading`)
      }
      const [tooLong] = /^(?![|<]).{121,}/m.exec(withoutCode(document)) ?? []
      assert.equal(tooLong, undefined)
    })

  it('have short code blocks, and a README with at most 120 lines', () => {
    const hasAtMostLines = (text: string, maxLines: number) => text.trimEnd().split('\n').length <= maxLines
    assert.ok(hasAtMostLines(readText('README.md'), 120))
    const blocks = manuals.flatMap(readBlocks)
    assert.ok(blocks.length > 30)
    for (const { path, code } of blocks) assert.ok(hasAtMostLines(code, 40), path)
  })

  it('list the Node modules that each entry point uses', () => {
    const rows = readText(options).matchAll(/^\| `pet-adoption-service(\S*)` \| (.*) \|$/gm)
    const named = [...rows].map(([, entry, modules]) => [`.${entry}`, modules])
    const imported = entries.map(([entry, path]) => {
      const modules = listNodeModules(join(root, path)).map((name) => `\`${name}\``)
      return [entry, modules.length === 0 ? 'nothing' : modules.join(', ')]
    })
    assert.deepEqual(named, imported)
  })

  /** Lists the Node modules that a module and its imports use. */
  function listNodeModules(path: string): readonly string[] {
    const options = { bundle: true, format: 'esm', metafile: true, write: false } as const
    const { metafile, outputFiles } = buildSync({ ...options, external: ['node:*'], entryPoints: [path] })
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.map((found) => found.path),
    )
    const used = outputFiles.flatMap(({ text }) => [...text.matchAll(/createRequire\([^"]*\)\("([^"]+)"\)/g)])
    return [...new Set([...imported, ...used.map(([, name = '']) => name)])].sort()
  }

  /** Returns the table rows below a heading. */
  function readRows(document: string, title: string): readonly string[] {
    const [, section = ''] = readText(document).split(`\n## ${title}\n`)
    return (section.split('\n## ', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  }

  /** Lists the options that a file's exported interfaces declare. */
  function listMembers(path: string): readonly string[] {
    const interfaces = readText(path).matchAll(
      /^export interface \w*(?:Options|Times|Policy)\b[^{]*\{([\s\S]*?)^\}/gm,
    )
    return [...interfaces].flatMap(([, body = '']) =>
      [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name),
    )
  }

  const sources = [...listSources('core'), ...listSources('adapters')]

  it('list every option', () => {
    const rows = readText(options)
    const elsewhere =
      /^adapters\/(?:backend|client|contracts|standalone)\b|\/(?:errors|idempotency|writer)\.ts$/
    const members = sources.filter((path) => !elsewhere.test(path)).flatMap(listMembers)
    assert.ok(members.length > 50)
    for (const name of members) assert.ok(rows.includes(`\`${name}\``), name)
  })

  it('list only messages that the sources contain', () => {
    const shown = sources
      .map(readText)
      .join('\n')
      .replaceAll(/\$\{[^}]*\}/g, '…') // stands for any value
    const titles = ['Errors of the library', 'Errors of the server and its commands']
    const rows = titles.flatMap((title) => readRows('adapters/TROUBLESHOOTING.md', title))
    const cells = rows.map((row) => row.split(' | ', 1)[0] ?? '')
    const messages = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
    assert.ok(messages.length > 30)
    for (const part of messages.flatMap((message) => message.split('…').map((part) => part.trim())))
      assert.ok(part.length <= 3 || shown.includes(part), part)
  })
})
