// Makes the helpers of the examples' tests, which are TypeScript, available to scripts.
import { register } from 'tsx/esm/api'

register()
export const { findFreePort } = await import('../adapters/contracts/testing/free-port.ts')
export const { startProgram } = await import('../adapters/examples/testing/serving.ts')
export const { assertFollowsEveryRule, apiKey } = await import('../adapters/examples/testing/rules.ts')
export const { assertServesApp, assertSharesLimits } = await import('../adapters/examples/testing/apps.ts')

/** Starts a recipe's server, lists its animals, and runs a task. */
export async function tryServer(command, options, code, task = () => {}) {
  const [, basePath = '/v1'] = /basePath: '([^']+)'/.exec(code) ?? []
  const { origin, stop } = await startProgram(command, options)
  try {
    const { status } = await fetch(`${origin}${basePath}/pets`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    if (status !== 200) throw new Error(`expected status 200 from ${basePath}/pets, got ${status}`)
    await task()
  } finally {
    await stop()
  }
}
