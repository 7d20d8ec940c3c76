import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../prepare.ts'

export const runtimeIds = ['node-20', 'node-24', 'deno', 'bun'] as const

export type RuntimeId = (typeof runtimeIds)[number]

/** A runtime as `.ci/runtimes/` defines it. */
interface Runtime {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
}

const folder = fileURLToPath(new URL('../../../.ci/runtimes', import.meta.url))

/** Installs the runtimes, and returns the command of each that runs a program in TypeScript. */
export async function findRuntimes(): Promise<Readonly<Record<RuntimeId, readonly string[]>>> {
  install(folder)
  const { nodes, deno, bun } = await import(join(folder, 'runtimes.mjs'))
  const found: readonly Runtime[] = [...nodes, deno, bun]
  const commands = runtimeIds.map((id) => {
    const runtime = found.find(({ name }) => name === id)
    if (!runtime) throw new Error(`.ci/runtimes has no ${id}`)
    return [
      id,
      [runtime.program, ...runtime.args, ...(id.startsWith('node') ? ['--import', 'tsx'] : [])],
    ] as const
  })
  return Object.fromEntries(commands) as unknown as Record<RuntimeId, readonly string[]> // every id has an entry
}
