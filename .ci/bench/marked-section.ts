import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Returns a text with another content between the comments `<!-- NAME -->` and `<!-- /NAME -->`.
 *
 * @throws Error if the comments are not there.
 */
export function replaceSection(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`]
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`there are no comments <!-- ${name} --> and <!-- /${name} -->`)
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`
}

/** Replaces a section of a file. */
export function writeSection(path: string, name: string, content: string): void {
  writeFileSync(path, replaceSection(readFileSync(path, 'utf8'), name, content))
}
