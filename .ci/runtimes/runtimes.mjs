// The runtimes, and the paths of their programs among the packages of this folder.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
const platform = `${process.platform}-${process.arch}`
const denoPlatform = process.platform === 'linux' ? `${platform}-glibc` : platform
const bunPlatform = platform.replace('arm64', 'aarch64')

/** The oldest supported Node and each later maintained line, with the arguments that run a program, and tests. */
export const nodes = [20, 22, 24, 26].map((major) => ({
  name: `node-${major}`,
  program: here(`node-${major}-${platform}/bin/node`),
  run: [],
  test: ['--test', '--test-timeout=300000'],
}))

const denoFlags = ['--quiet', '--allow-all', '--no-check']

export const deno = {
  name: 'deno',
  program: here(`@deno/${denoPlatform}/deno`),
  run: ['run', ...denoFlags],
  test: ['test', ...denoFlags],
}

export const bun = {
  name: 'bun',
  program: here(`@oven/bun-${bunPlatform}/bin/bun`),
  run: [],
  test: ['test', '--isolate', '--timeout=300000'],
}

/** Runs what requires a newer Node than the oldest one. */
export const newestNode = nodes.at(-1)

for (const { name, program } of [...nodes, deno, bun]) {
  if (!existsSync(program))
    throw new Error(`there is no ${name} for ${platform} in .ci/runtimes/package.json`)
}
