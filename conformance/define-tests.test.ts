import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('every rule becomes a test, and nothing is sent until one runs', () => {
  const { tests, requests } = defined()
  assert.deepEqual(
    [...tests.keys()],
    catalogue.map(({ id }) => id),
  )
  assert.equal(requests.length, 0)
  // a runner may pass a callback to a function that has one
  assert.ok([...tests.values()].every((body) => body.length === 0))
})

test('one run serves all tests', async () => {
  const { run, requests, skipped } = defined()
  await run('LIST-1')
  const sent = requests.length
  await run('AUTH-1')
  assert.ok(sent > 0 && requests.length === sent)
  assert.deepEqual(skipped, [])
})

test('a broken MUST fails its test with a command that reproduces it', async () => {
  const { run } = defined({}, toAnyone)
  await assert.rejects(async () => run('AUTH-1'), /s5-missing-key.*status 401[\s\S]*curl -i/)
})

test('the test of a known failure is skipped, and fails once the rule holds', async () => {
  const knownFailures = [{ rule: 'AUTH-1', reason: 'soon' }]
  const { run, skipped } = defined({ knownFailures }, toAnyone)
  await run('AUTH-1')
  assert.equal(skipped.length, 1)
  await assert.rejects(async () => defined({ knownFailures }).run('AUTH-1'), /known failure/)
})

test('the test of a deselected rule is skipped, also in Vitest', async () => {
  const { run, tests, skipped } = defined()
  await run('CREATE-1')
  // in Vitest, the context is a function
  await tests.get('CREATE-2')?.(Object.assign(() => {}, { skip: (reason: string) => skipped.push(reason) }))
  assert.match(skipped.join(), /not-run.*not-run/)
})

test('a runner whose context cannot skip passes it', async () => {
  await defined().tests.get('CREATE-1')?.()
})

test('a MUST without evidence fails, or is skipped if allowed', async () => {
  const emptyDeployment = (): Handler => async () => Response.json([])
  await assert.rejects(async () => defined({}, emptyDeployment).run('LIST-12'), /inconclusive/)
  const { run, skipped } = defined({ allowInconclusive: true }, emptyDeployment)
  await run('LIST-12')
  assert.match(skipped[0] ?? '', /inconclusive/)
})

test('an unreachable deployment fails one test and skips the others', async () => {
  const down = (): Handler => () => Promise.reject(new Error('down'))
  const { run, skipped } = defined({ allowInconclusive: true }, down)
  await assert.rejects(async () => run('LIST-1'), /unreachable.*down/)
  await run('AUTH-1')
  assert.match(skipped.join(), /^the deployment is unreachable: .*down/)
})

test('a run that ends early fails the tests of all undecided rules', async () => {
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

test('a warning is a diagnostic, and its test passes', async () => {
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

test('each test has the time that all exchanges may take', () => {
  const [read] = defined({ timeoutMs: 1000 }).timeouts
  const [slow] = defined({ timeoutMs: 1000, pace: 0.5 }).timeouts
  assert.ok(read !== undefined && slow !== undefined)
  assert.ok(read >= 30 * 1000 + 130_000 && slow >= read + 30 * 2000)
  assert.equal(defined({}).timeouts.size, 1)
})

test('bad options fail the tests', async () => {
  await assert.rejects(async () => defined({ baseUrl: 'no' }).run('LIST-1'), /baseUrl/)
})
