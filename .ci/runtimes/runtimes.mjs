// The runtimes, and the paths of their programs among the packages of this folder.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
const platform = `${process.platform}-${process.arch}`
const denoPlatform = process.platform === 'linux' ? `${platform}-glibc` : platform
const bunPlatform = platform.replace('arm64', 'aarch64')

/** The oldest supported Node, and each later line that is maintained. `lacks` names the suite that it cannot run. */
export const nodes = [20, 22, 24, 26].map((major) => ({
  name: `node-${major}`,
  program: here(`node-${major}-${platform}/bin/node`),
  args: [],
  ...(major === 20 && { lacks: 'store in SQLite' }),
}))

export const deno = {
  name: 'deno',
  program: here(`@deno/${denoPlatform}/deno`),
  args: ['run', '--quiet', '--allow-all', '--no-check'],
}

export const bun = {
  name: 'bun',
  program: here(`@oven/bun-${bunPlatform}/bin/bun`),
  args: [],
}

/** Runs what requires a newer Node than the oldest one. */
export const newestNode = nodes.at(-1)

for (const { name, program } of [...nodes, deno, bun]) {
  if (!existsSync(program))
    throw new Error(`there is no ${name} for ${platform} in .ci/runtimes/package.json`)
}
