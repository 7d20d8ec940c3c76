// Copies the file that a comment names into the code block behind it, in every manual. A test compares them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.mjs'
import { manuals } from './package/reachable.mjs'

const block = /(<!-- (\S+) -->\n```\w+\n)[\s\S]*?(```\n)/g
for (const path of manuals(root)) {
  const manual = join(root, path)
  const before = readFileSync(manual, 'utf8')
  const after = before.replaceAll(
    block,
    (_, start, example, end) => start + readFileSync(join(root, example), 'utf8') + end,
  )
  if (after !== before) writeFileSync(manual, after)
}
