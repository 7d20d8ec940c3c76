// Copies into each TypeScript block of the manuals the file that the comment before it names; a test holds them equal.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manuals } from './package/reachable.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const block = /(<!-- (\S+\.ts) -->\n```ts\n)[\s\S]*?(```\n)/g
for (const path of manuals(root)) {
  const manual = join(root, path)
  const before = readFileSync(manual, 'utf8')
  const after = before.replaceAll(
    block,
    (_, start, example, end) => start + readFileSync(join(root, example), 'utf8') + end,
  )
  if (after !== before) writeFileSync(manual, after)
}
