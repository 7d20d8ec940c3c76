import { existsSync, readFileSync } from 'node:fs'
import { statementLink } from '../rules/statements.ts'

/** Where the interface is: beside the sources, and beside what is built of them. */
const places = ['../interface.md', '../../../conformance/interface.md']

let known: ReadonlyMap<string, string> | undefined

/** Returns a statement of the interface as plain text; its anchor alone if this version of the interface does not have it. */
export function statementText(anchor: string): string {
  known ??= readStatements()
  const text = known.get(anchor)
  return text === undefined ? statementLink(anchor) : `${text} (${statementLink(anchor)})`
}

function readStatements(): ReadonlyMap<string, string> {
  const files = places.map((place) => new URL(place, import.meta.url))
  const file = files.find((one) => existsSync(one))
  const page = file === undefined ? '' : readFileSync(file, 'utf8')
  // a statement ends with its paragraph, or where the next one begins
  const found = page.matchAll(/<a id="([^"]+)"><\/a>([\s\S]*?)(?=\n\s*\n|\n- |<a id=|$)/g)
  return new Map([...found].map(([, anchor = '', text = '']) => [anchor, plain(text)]))
}

/** Removes the markup of a paragraph. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<sup>(\d+)<\/sup>/g, '^$1')
    .replace(/[*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
