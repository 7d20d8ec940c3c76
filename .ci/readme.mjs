// Copies into each TypeScript block of the README the file that the comment before it names; a test holds them equal.
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const readme = new URL('README.md', root)
const block = /(<!-- (\S+\.ts) -->\n```ts\n)[\s\S]*?(```\n)/g
const before = readFileSync(readme, 'utf8')
const after = before.replaceAll(
  block,
  (_, start, path, end) => start + readFileSync(new URL(path, root), 'utf8') + end,
)
if (after !== before) writeFileSync(readme, after)
