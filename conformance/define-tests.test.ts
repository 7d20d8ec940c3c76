import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineTests, type TestOptions } from './define-tests.ts'
import { catalogue } from './rules/catalogue.ts'
import type { Handler } from './testing/deployments/deployment.ts'
import { trialOptions } from './testing/deployments/trial.ts'

type Body = (context?: unknown) => Promise<void>

/** Registers the tests with a runner that only remembers them. */
function defined(change: Partial<TestOptions> = {}, around = (handler: Handler): Handler => handler) {
  const conforming = trialOptions({ does: 'conforms' }, 'read')
  const deployment = around(conforming.fetch)
  const tests = new Map<string, Body>()
  const requests: Request[] = []
  const fetch = (request: Request): ReturnType<Handler> => {
    requests.push(request)
    return deployment(request)
  }
  const timeouts = new Set<number>()
  const register = (name: string, body: Body, timeoutMs: number) => {
    tests.set(name.split(':')[0] ?? '', body)
    timeouts.add(timeoutMs)
  }
  defineTests(register, { ...conforming, fetch, ...change })
  const skipped: string[] = []
  const diagnostics: string[] = []
  const context = {
    skip: (reason: string) => skipped.push(reason),
    diagnostic: (message: string) => diagnostics.push(message),
  }
  const run = (id: string): Promise<void> | undefined => tests.get(id)?.(context)
  return { tests, requests, skipped, diagnostics, timeouts, run }
}

const toAnyone =
  (handler: Handler): Handler =>
  async (request) => {
    const isBare = request.headers.get('authorization') === null
    return isBare ? Response.json([]) : handler(request)
  }

describe('defineTests', () => {
  it('defines a test for each rule, and sends nothing until one runs', () => {
    const { tests, requests } = defined()
    assert.deepEqual(
      [...tests.keys()],
      catalogue.map(({ id }) => id),
    )
    assert.equal(requests.length, 0)
    // a runner may pass a callback to a function that has one
    assert.ok([...tests.values()].every((body) => body.length === 0))
  })

  it('runs the suite once for all tests', async () => {
    const { run, requests, skipped } = defined()
    await run('LIST-1')
    const sent = requests.length
    await run('AUTH-1')
    assert.ok(sent > 0 && requests.length === sent)
    assert.deepEqual(skipped, [])
  })

  it('fails the test of a broken MUST with a command that reproduces it', async () => {
    const { run } = defined({}, toAnyone)
    await assert.rejects(async () => run('AUTH-1'), /s5-missing-key.*status 401[\s\S]*curl -i/)
  })

  it('skips the test of a known failure, and fails it once the rule holds', async () => {
    const knownFailures = [{ rule: 'AUTH-1', reason: 'soon' }]
    const { run, skipped } = defined({ knownFailures }, toAnyone)
    await run('AUTH-1')
    assert.equal(skipped.length, 1)
    await assert.rejects(async () => defined({ knownFailures }).run('AUTH-1'), /known failure/)
  })

  it('skips the test of a deselected rule, also in Vitest', async () => {
    const { run, tests, skipped } = defined()
    await run('CREATE-1')
    // in Vitest, the context is a function
    await tests.get('CREATE-2')?.(Object.assign(() => {}, { skip: (reason: string) => skipped.push(reason) }))
    assert.match(skipped.join(), /not-run.*not-run/)
  })

  it('passes a deselected rule if the runner cannot skip', async () => {
    await defined().tests.get('CREATE-1')?.()
  })

  it('fails a MUST without evidence, or skips it if allowed', async () => {
    const emptyDeployment = (): Handler => async () => Response.json([])
    await assert.rejects(async () => defined({}, emptyDeployment).run('LIST-12'), /inconclusive/)
    const { run, skipped } = defined({ allowInconclusive: true }, emptyDeployment)
    await run('LIST-12')
    assert.match(skipped[0] ?? '', /inconclusive/)
  })

  it('fails one test for an unreachable deployment, and skips the others', async () => {
    const down = (): Handler => () => Promise.reject(new Error('down'))
    const { run, skipped } = defined({ allowInconclusive: true }, down)
    await assert.rejects(async () => run('LIST-1'), /unreachable.*down/)
    await run('AUTH-1')
    assert.match(skipped.join(), /^the deployment is unreachable: .*down/)
  })

  it('fails the tests of all undecided rules if the run ends early', async () => {
    let requests = 0
    const fails =
      (handler: Handler): Handler =>
      async (request) => {
        if (++requests > 3) throw new Error('down')
        return handler(request)
      }
    const { run } = defined({ allowInconclusive: true }, fails)
    await assert.rejects(async () => run('AUTH-1'), /not-run.*down/)
    await assert.rejects(async () => run('AUTH-4'), /not-run.*down/)
  })

  it('passes the test of a warning with a diagnostic', async () => {
    const withoutChallenge =
      (handler: Handler): Handler =>
      async (request) => {
        const response = await handler(request)
        const headers = new Headers(response.headers)
        headers.delete('www-authenticate')
        return new Response(response.body, { status: response.status, headers })
      }
    const { run, diagnostics, skipped } = defined({}, withoutChallenge)
    await run('AUTH-10')
    assert.match(diagnostics.join(), /^warn \(interface\.md#s5-challenge\)/)
    assert.deepEqual(skipped, [])
  })

  it('gives each test the time that all exchanges may take', () => {
    const [read] = defined({ timeoutMs: 1000 }).timeouts
    const [slow] = defined({ timeoutMs: 1000, pace: 0.5 }).timeouts
    assert.ok(read !== undefined && slow !== undefined)
    assert.ok(read >= 30 * 1000 + 130_000 && slow >= read + 30 * 2000)
    assert.equal(defined({}).timeouts.size, 1)
  })

  it('fails the tests if the options are invalid', async () => {
    await assert.rejects(async () => defined({ baseUrl: 'no' }).run('LIST-1'), /baseUrl/)
  })
})
