import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { addRex, serve } from '../testing/serve.ts'
import { received } from '../testing/service-request.ts'
import { recordWarnings } from '../testing/warnings.ts'
import type { ServiceOptions } from './options.ts'

const authenticates = async (raw: unknown, options: object) => {
  const access = await serve({ cors: '*', ...options }).service.authenticate(raw as never)
  return access.authenticated ? assert.fail('authenticated') : received(access.response)
}
const validates = (problems: unknown, options: object) =>
  serve({ validate: () => problems as never, ...options }).ask(addRex)

/** Mistakes of an embedder without types, and the messages. */
const mistakes = [
  ...[new Request('https://pets.example/v1/orders'), { header: () => undefined }, undefined].map(
    (raw) =>
      ['authenticates', authenticates, raw, /authenticate requires the result of toServiceRequest/] as const,
  ),
  ...[undefined, null, true, 'no', {}, new Set(['no']), [undefined], [{ message: 'no' }], ['no', []]].map(
    (problems) =>
      ['validates', validates, problems, /options\.validate must return a list of texts$/] as const,
  ),
]

describe('a mistake of an embedder', () => {
  for (const [what, respond, value, message] of mistakes) {
    const shown = inspect(value, { depth: 1 }).slice(0, 40)
    it(`is a TypeError in onError: ${what} with ${shown}`, async (t) => {
      const warnings = recordWarnings(t)
      const causes: unknown[] = []
      const { status, headers } = await respond(value, { onError: (cause: unknown) => causes.push(cause) })
      assert.deepEqual([status, headers.has('x-ratelimit-limit')], [500, true])
      assert.match(String(causes), message)
      assert.ok(causes[0] instanceof TypeError)
      assert.deepEqual(warnings, [])
    })
  }

  /** A service without `onError`. */
  const silent = (options: Partial<ServiceOptions>) =>
    serve({ ...options, ...({ onError: undefined } as object) })

  it('causes one warning without onError', async (t) => {
    const warnings = recordWarnings(t)
    const { ask, service } = silent({ validate: () => ['no', 5] as never })
    for (let i = 0; i < 2; i++) {
      assert.equal((await ask(addRex)).status, 500)
      assert.ok(!(await service.authenticate(new Request('https://pets.example') as never)).authenticated)
    }
    assert.equal(warnings.length, 2)
    for (const warning of warnings) assert.match(warning, /^pet-adoption-service: (?:authenticate|options\.)/)
  })

  it('is not a failure, which causes no warning without onError', async (t) => {
    const warnings = recordWarnings(t)
    const fail = () => assert.fail('a failure that is no mistake')
    assert.equal((await silent({ validate: fail }).ask(addRex)).status, 500)
    assert.deepEqual(warnings, [])
  })

  it('causes a warning on the console without a process', async (t) => {
    const warn = t.mock.method(console, 'warn', () => {})
    const { emitWarning } = process
    const { ask } = silent({ validate: () => 'no' as never })
    Object.assign(process, { emitWarning: undefined })
    for (let i = 0; i < 2; i++) await ask(addRex)
    Object.assign(process, { emitWarning })
    assert.deepEqual(
      warn.mock.calls.map(({ arguments: [text] }) => text),
      ['pet-adoption-service: options.validate must return a list of texts'],
    )
  })
})
