// Copies the examples and generated tables into the manuals: node .ci/readme.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { register } from 'tsx/esm/api'
import { root } from './command.mjs'
import { manuals } from './package/reachable.mjs'

register()
const { referenceTables } = await import('../adapters/standalone/testing/reference-tables.ts')
const table = /(<!-- (\w+) -->\n)(?:\|.*\n)*/g

const block = /(<!-- (\S+) -->\n```\w+\n)[\s\S]*?(```\n)/g
for (const path of manuals(root)) {
  const manual = join(root, path)
  const before = readFileSync(manual, 'utf8')
  const after = before
    .replaceAll(block, (_, start, example, end) => start + readFileSync(join(root, example), 'utf8') + end)
    .replaceAll(table, (all, start, name) => (referenceTables[name] ? start + referenceTables[name] : all))
  if (after !== before) writeFileSync(manual, after)
}
