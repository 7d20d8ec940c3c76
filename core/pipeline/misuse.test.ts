import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { StoreUnavailableError } from '../http/errors.ts'
import { addRex, serve } from '../testing/serve.ts'
import { throwError, toTestResponse } from '../testing/service-request.ts'
import { recordWarnings } from '../testing/warnings.ts'
import type { ServiceOptions } from './options.ts'

const sendToAuthenticate = async (raw: unknown, options: object) => {
  const access = await serve({ cors: '*', ...options }).service.authenticate(raw as never)
  return access.authenticated ? assert.fail('authenticated') : toTestResponse(access.response)
}
const sendToValidate = (problems: unknown, options: object) =>
  serve({ validate: () => problems as never, ...options }).send(addRex)

const serveWithoutOnError = (options: Partial<ServiceOptions>) =>
  serve({ ...options, ...({ onError: undefined } as object) })

/** What the application does wrong, and the expected message. */
const misuses = [
  ...[new Request('https://pets.example/v1/orders'), { header: () => undefined }, undefined].map(
    (raw) =>
      [
        'authenticate receives',
        sendToAuthenticate,
        raw,
        /authenticate requires a request from toServiceRequest/,
      ] as const,
  ),
  ...[undefined, null, true, 'no', {}, new Set(['no']), [undefined], [{ message: 'no' }], ['no', []]].map(
    (problems) =>
      [
        'validate returns',
        sendToValidate,
        problems,
        /options\.validate must return an array of strings$/,
      ] as const,
  ),
]

describe('a misuse of the service', () => {
  for (const [what, respond, value, message] of misuses) {
    const shownValue = inspect(value, { depth: 1 }).slice(0, 40)
    it(`is reported if ${what} ${shownValue}`, async (t) => {
      const processWarnings = recordWarnings(t)
      const reportedCauses: unknown[] = []
      const { status, headers } = await respond(value, {
        onError: (cause: unknown) => reportedCauses.push(cause),
      })
      assert.deepEqual([status, headers.has('x-ratelimit-limit')], [500, true])
      assert.match(String(reportedCauses), message)
      assert.ok(reportedCauses[0] instanceof TypeError)
      assert.deepEqual(processWarnings, [])
    })
  }

  it('is printed once if onError is not set', async (t) => {
    const processWarnings = recordWarnings(t)
    const { send, service } = serveWithoutOnError({ validate: () => ['no', 5] as never })
    for (let i = 0; i < 2; i++) {
      assert.equal((await send(addRex)).status, 500)
      assert.ok(!(await service.authenticate(new Request('https://pets.example') as never)).authenticated)
    }
    assert.equal(processWarnings.length, 2)
    for (const warning of processWarnings)
      assert.match(warning, /^pet-adoption-service: (?:authenticate|options\.)/)
  })

  it('is printed to the console if process.emitWarning is missing', async (t) => {
    const consoleWarn = t.mock.method(console, 'warn', () => {})
    const { emitWarning } = process
    const { send } = serveWithoutOnError({ validate: () => 'no' as never })
    Object.assign(process, { emitWarning: undefined })
    for (let i = 0; i < 2; i++) await send(addRex)
    Object.assign(process, { emitWarning })
    assert.deepEqual(
      consoleWarn.mock.calls.map(({ arguments: [text] }) => text),
      ['pet-adoption-service: options.validate must return an array of strings'],
    )
  })
})

describe('a failure without onError', () => {
  const printedOnce = 'pet-adoption-service: printed once; set options.onError to receive each error: '

  it('is printed once per message', async (t) => {
    const processWarnings = recordWarnings(t)
    const errorCauses = [
      new Error('disk'),
      new StoreUnavailableError('network'),
      'text',
      null,
      new Error('disk'),
    ]
    const { send } = serveWithoutOnError({ validate: () => throwError(errorCauses.pop()) })
    while (errorCauses.length > 0) await send(addRex)
    const shownErrors = ['Error: disk\n    at ', 'null', 'text', 'StoreUnavailableError: network\n    at ']
    assert.deepEqual(
      processWarnings.map((warning, i) => warning.startsWith(`${printedOnce}${shownErrors[i]}`)),
      [true, true, true, true],
    )
  })

  it('is printed even if its cause cannot be converted to text', async (t) => {
    const processWarnings = recordWarnings(t)
    const error = Object.assign(new Error('disk'), { toString: () => throwError(new Error('toString')) })
    for (const cause of [error, Object.create(null)])
      await serveWithoutOnError({ validate: () => throwError(cause) }).send(addRex)
    const [first, second] = processWarnings
    assert.ok(first?.startsWith(`${printedOnce}Error: disk\n    at `))
    assert.equal(second, `${printedOnce}an error without text`)
  })

  it('is printed at most 20 times per service', async (t) => {
    const processWarnings = recordWarnings(t)
    let count = 0
    const { send } = serveWithoutOnError({ validate: () => throwError(new Error(`${++count}`)) })
    for (let i = 0; i < 30; i++) await send(addRex)
    assert.equal(processWarnings.length, 20)
  })
})
