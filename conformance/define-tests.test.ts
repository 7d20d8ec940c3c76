import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineTests, type TestOptions } from './define-tests.ts'
import { catalogue } from './rules/catalogue.ts'
import type { Handler } from './testing/deployments/deployment.ts'
import { createRunOptions } from './testing/deployments/trial.ts'

type Body = (context?: unknown) => Promise<void>

function registerTests(change: Partial<TestOptions> = {}, around = (handler: Handler): Handler => handler) {
  const conformingOptions = createRunOptions({ does: 'conforms' }, 'read')
  const deployment = around(conformingOptions.fetch)
  const tests = new Map<string, Body>()
  const requests: Request[] = []
  const fetch = (request: Request): ReturnType<Handler> => {
    requests.push(request)
    return deployment(request)
  }
  const timeouts = new Set<number>()
  const registerTest = (name: string, body: Body, timeoutMs: number) => {
    tests.set(name.split(':')[0] ?? '', body)
    timeouts.add(timeoutMs)
  }
  defineTests(registerTest, { ...conformingOptions, fetch, ...change })
  const skippedTests: string[] = []
  const diagnostics: string[] = []
  const context = {
    skip: (reason: string) => skippedTests.push(reason),
    diagnostic: (message: string) => diagnostics.push(message),
  }
  const runTest = (id: string): Promise<void> | undefined => tests.get(id)?.(context)
  return { tests, requests, skipped: skippedTests, diagnostics, timeouts, run: runTest }
}

const toAnyone =
  (handler: Handler): Handler =>
  async (request) => {
    const isBare = request.headers.get('authorization') === null
    return isBare ? Response.json([]) : handler(request)
  }

describe('defineTests', () => {
  it('registers a test per rule without sending requests', () => {
    const { tests, requests } = registerTests()
    assert.deepEqual(
      [...tests.keys()],
      catalogue.map(({ id }) => id),
    )
    assert.equal(requests.length, 0)
    // Bun and Jest wait for a callback if the function has a parameter.
    assert.ok([...tests.values()].every((body) => body.length === 0))
  })

  it('sends the requests once for all tests', async () => {
    const { run, requests, skipped } = registerTests()
    await run('LIST-1')
    const requestCount = requests.length
    await run('AUTH-1')
    assert.ok(requestCount > 0 && requests.length === requestCount)
    assert.deepEqual(skipped, [])
  })

  it('fails a test with a curl command if its rule is broken', async () => {
    const { run } = registerTests({}, toAnyone)
    await assert.rejects(async () => run('AUTH-1'), /s5-missing-key.*status 401[\s\S]*curl -i/)
  })

  it('skips known failures, and fails if such a rule holds again', async () => {
    const knownFailures = [{ rule: 'AUTH-1', reason: 'soon' }]
    const { run, skipped } = registerTests({ knownFailures }, toAnyone)
    await run('AUTH-1')
    assert.equal(skipped.length, 1)
    await assert.rejects(async () => registerTests({ knownFailures }).run('AUTH-1'), /known failure/)
  })

  it('skips rules that were not run', async () => {
    const { run, tests, skipped } = registerTests()
    await run('CREATE-1')
    // In Deno, the context is an object, and in Vitest a function.
    await tests.get('CREATE-2')?.(Object.assign(() => {}, { skip: (reason: string) => skipped.push(reason) }))
    assert.match(skipped.join(), /not-run.*not-run/)
  })

  it('passes a test that is called without a test context', async () => {
    await registerTests().tests.get('CREATE-1')?.()
  })

  it('fails or skips rules without evidence', async () => {
    const emptyDeployment = (): Handler => async () => Response.json([])
    await assert.rejects(async () => registerTests({}, emptyDeployment).run('LIST-12'), /inconclusive/)
    const { run, skipped } = registerTests({ allowInconclusive: true }, emptyDeployment)
    await run('LIST-12')
    assert.match(skipped[0] ?? '', /inconclusive/)
  })

  it('fails the first test if the deployment is unreachable', async () => {
    const createUnreachableHandler = (): Handler => () => Promise.reject(new Error('down'))
    const { run, skipped } = registerTests({ allowInconclusive: true }, createUnreachableHandler)
    await assert.rejects(async () => run('LIST-1'), /unreachable.*down/)
    await run('AUTH-1')
    assert.match(skipped.join(), /^deployment unreachable: .*down/)
  })

  it('fails a test if the run ended before the requests for its rule', async () => {
    let requests = 0
    const failAfterThree =
      (handler: Handler): Handler =>
      async (request) => {
        if (++requests > 3) throw new Error('down')
        return handler(request)
      }
    const { run } = registerTests({ allowInconclusive: true }, failAfterThree)
    await assert.rejects(async () => run('AUTH-1'), /not-run.*down/)
    await assert.rejects(async () => run('AUTH-4'), /not-run.*down/)
  })

  it('prints warnings as diagnostics', async () => {
    const withoutChallenge =
      (handler: Handler): Handler =>
      async (request) => {
        const response = await handler(request)
        const headers = new Headers(response.headers)
        headers.delete('www-authenticate')
        return new Response(response.body, { status: response.status, headers })
      }
    const { run, diagnostics, skipped } = registerTests({}, withoutChallenge)
    await run('AUTH-10')
    assert.match(diagnostics.join(), /^warn \(interface\.md#s5-challenge\)/)
    assert.deepEqual(skipped, [])
  })

  it('sets a timeout that fits a slow run', () => {
    const [read] = registerTests({ timeoutMs: 1000 }).timeouts
    const [slow] = registerTests({ timeoutMs: 1000, pace: 0.5 }).timeouts
    assert.ok(read !== undefined && slow !== undefined)
    assert.ok(read >= 30 * 1000 + 130_000 && slow >= read + 30 * 2000)
    assert.equal(registerTests({}).timeouts.size, 1)
  })

  it('rejects invalid options in each test', async () => {
    await assert.rejects(async () => registerTests({ baseUrl: 'no' }).run('LIST-1'), /baseUrl/)
  })
})
