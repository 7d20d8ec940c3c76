// The runtimes in node_modules, and their flags for running and testing a file.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const resolveProgram = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
const platform = `${process.platform}-${process.arch}`
const denoPlatform = process.platform === 'linux' ? `${platform}-glibc` : platform
const bunPlatform = platform.replace('arm64', 'aarch64')

/** The oldest supported Node, the one most servers run, and the newest. */
export const nodes = [20, 24, 26].map((major) => ({
  name: `node-${major}`,
  program: resolveProgram(`node-${major}-${platform}/bin/node`),
  run: [],
  test: ['--test', '--test-timeout=300000'],
}))

const denoFlags = ['--quiet', '--allow-all', '--no-check']

export const deno = {
  name: 'deno',
  program: resolveProgram(`@deno/${denoPlatform}/deno`),
  run: ['run', ...denoFlags],
  test: ['test', ...denoFlags],
}

export const bun = {
  name: 'bun',
  program: resolveProgram(`@oven/bun-${bunPlatform}/bin/bun`),
  run: [],
  test: ['test', '--isolate', '--timeout=300000'],
}

export const newestNode = nodes.at(-1)

for (const { name, program } of [...nodes, deno, bun]) {
  if (!existsSync(program)) throw new Error(`.ci/runtimes/package.json has no ${name} for ${platform}`)
}
