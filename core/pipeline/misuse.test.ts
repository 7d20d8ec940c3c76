import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { Misuse } from '../http/errors.ts'
import { createPetService, type ServiceOptions } from '../index.ts'
import { ask, received } from '../testing/service-request.ts'
import { recordWarnings } from '../testing/warnings.ts'
import { warnOfMisuse } from './hooks.ts'

const keys = { find: () => ({ id: 'zoo', plan: 'free' }) as const }
const addition = {
  method: 'POST',
  headers: { authorization: 'Bearer key' },
  body: '{"name":"Rex","categoryId":1}',
}

const served = (options: Partial<ServiceOptions>) => createPetService({ keys, ...options })

const authorizes = async (raw: unknown, options: Partial<ServiceOptions>) => {
  const access = await served({ cors: '*', ...options }).authorize(raw as never)
  return access.authorized ? assert.fail('authorized') : received(access.response)
}
const validates = (problems: unknown, options: Partial<ServiceOptions>) =>
  ask(served({ validate: () => problems as never, ...options }), addition)

/** What an embedder without types may do, and what it is told. */
const mistakes = [
  ...[new Request('https://pets.example/v1/orders'), { header: () => undefined }, undefined].map(
    (raw) => ['authorizes', authorizes, raw, /authorize requires the result of toServiceRequest/] as const,
  ),
  ...[
    undefined,
    null,
    true,
    0,
    '',
    'no',
    {},
    new Set(['no']),
    [undefined],
    [{ message: 'no' }],
    ['no', ['no']],
  ].map(
    (problems) =>
      ['validates', validates, problems, /options\.validate must return a list of texts$/] as const,
  ),
]

describe('an embedder that', () => {
  for (const [what, respond, value, message] of mistakes) {
    it(`${what} with ${inspect(value, { depth: 1, breakLength: 200 }).slice(0, 60)} is told by onError, and its client gets a 500 with numbers`, async (t) => {
      const warnings = recordWarnings(t)
      const causes: unknown[] = []
      const { status, headers } = await respond(value, { onError: (cause) => causes.push(cause) })
      assert.deepEqual([status, headers.has('x-ratelimit-limit'), causes.length], [500, true, 1])
      assert.ok(causes[0] instanceof TypeError)
      assert.match(causes[0].message, message)
      assert.deepEqual(warnings, [])
    })
  }

  it('has no onError is told each mistake once, by a warning of the process', async (t) => {
    const warnings = recordWarnings(t)
    for (const [, respond, value] of [...mistakes, ...mistakes]) await respond(value, {})
    const fail = () => assert.fail('a failure that is no mistake')
    assert.equal((await ask(served({ validate: fail }), addition)).status, 500)
    assert.equal(warnings.length, 2)
    for (const warning of warnings) assert.match(warning, /^pet-adoption-service: (?:authorize|options\.)/)
  })

  it('runs where there is no process is told on the console', async (t) => {
    const warn = t.mock.method(console, 'warn', () => {})
    const { emitWarning } = process
    Object.assign(process, { emitWarning: undefined })
    for (let i = 0; i < 2; i++) warnOfMisuse(new Misuse('a mistake off Node'))
    Object.assign(process, { emitWarning })
    assert.deepEqual(
      warn.mock.calls.map(({ arguments: [text] }) => text),
      ['pet-adoption-service: a mistake off Node'],
    )
  })
})
