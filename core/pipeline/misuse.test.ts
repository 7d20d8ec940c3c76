import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inspect } from 'node:util'
import { Misuse } from '../http/errors.ts'
import { addRex, serve } from '../testing/serve.ts'
import { received } from '../testing/service-request.ts'
import { recordWarnings } from '../testing/warnings.ts'
import { warnOfMisuse } from './hooks.ts'

const authenticates = async (raw: unknown, options: object) => {
  const access = await serve({ cors: '*', ...options }).service.authenticate(raw as never)
  return access.authenticated ? assert.fail('authenticated') : received(access.response)
}
const validates = (problems: unknown, options: object) =>
  serve({ validate: () => problems as never, ...options }).ask(addRex)
const unheard = { onError: undefined }

/** What an embedder without types may do, and what it is told. */
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

for (const [what, respond, value, message] of mistakes) {
  it(`an embedder that ${what} with ${inspect(value, { depth: 1, breakLength: 200 }).slice(0, 60)} is told by onError, and its client gets a 500 with numbers`, async (t) => {
    const warnings = recordWarnings(t)
    const causes: unknown[] = []
    const { status, headers } = await respond(value, { onError: (cause: unknown) => causes.push(cause) })
    assert.deepEqual([status, headers.has('x-ratelimit-limit')], [500, true])
    assert.match(String(causes), message)
    assert.ok(causes[0] instanceof TypeError)
    assert.deepEqual(warnings, [])
  })
}

it('an embedder that has no onError is told each mistake once, by a warning of the process', async (t) => {
  const warnings = recordWarnings(t)
  for (const [, respond, value] of [...mistakes, ...mistakes]) await respond(value, unheard)
  const fail = () => assert.fail('a failure that is no mistake')
  assert.equal((await serve({ validate: fail }).ask(addRex)).status, 500)
  assert.equal(warnings.length, 2)
  for (const warning of warnings) assert.match(warning, /^pet-adoption-service: (?:authenticate|options\.)/)
})

it('an embedder that runs where there is no process is told on the console', async (t) => {
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
