// Starts servers of recipes and of other stacks with the helper of the tests, which is TypeScript.
import { register } from 'tsx/esm/api'

register()
export const { freePort } = await import('../adapters/contracts/testing/free-port.ts')
export const { startServing } = await import('../adapters/examples/testing/serving.ts')
export const { addAnimals, key } = await import('../adapters/examples/testing/rules.ts')

/** Starts the server of a recipe, lists its animals, runs a task, and ends it. Rejects if one of them fails. */
export async function tryServer(command, options, code, task = () => {}) {
  const [, basePath = '/v1'] = /basePath: '([^']+)'/.exec(code) ?? []
  const { origin, end } = await startServing(command, options)
  try {
    const { status } = await fetch(`${origin}${basePath}/pets`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    if (status !== 200) throw new Error(`the list of animals has the status ${status}`)
    await task()
  } finally {
    await end()
  }
}
