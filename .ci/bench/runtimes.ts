import { fileURLToPath } from 'node:url'
import type { Figure } from './figures.ts'
import { install } from './prepare.ts'
import { ratioOfRates } from './ratio.ts'
import { scenarioIds, scenarios } from './scenarios.ts'
import { startServer } from './server.ts'
import { verify, verifySameHeaders } from './verify.ts'

/** A runtime as `.ci/runtimes/` defines it. */
interface Runtime {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
}

/** Compares the Fetch mount on Deno and Bun with a handler that returns fixed responses. */
export async function* runtimes(): AsyncGenerator<Figure> {
  for (const { name, program, args } of await findRuntimes()) {
    const start = (file: string) => startServer([program, ...args, path(`sides/${file}.ts`)])
    const [ours, bare] = await Promise.all([start('fetch-ours'), start('fetch-bare')])
    try {
      for (const id of scenarioIds) {
        for (const { origin } of [ours, bare]) await verify(origin, scenarios[id])
        await verifySameHeaders(ours, bare, scenarios[id])
        const title = `${name}, ${scenarios[id].title}: ours against bare`
        yield await ratioOfRates({ title, atLeast: 0.75 }, [ours, [scenarios[id]]], [bare, [scenarios[id]]])
      }
    } finally {
      await Promise.all([ours.stop(), bare.stop()])
    }
  }
}

async function findRuntimes(): Promise<readonly Runtime[]> {
  const folder = path('../../.ci/runtimes')
  install(folder)
  const { deno, bun } = await import(new URL('../../.ci/runtimes/runtimes.mjs', import.meta.url).href)
  return [deno, bun]
}

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
