// Removes from `dist/` what no user can come to: the declarations of inner modules, and modules of nothing but types.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reachable } from './reachable.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const needed = reachable(root)
for (const name of readdirSync(join(root, 'dist'), { recursive: true })) {
  const path = join('dist', name)
  if (!needed.has(path) && statSync(join(root, path)).isFile()) rmSync(join(root, path))
}
