import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultKinds } from '../causes/find.ts'
import { exitCode, type Report, runConformance, type Verdict } from '../index.ts'
import { degenerate } from './degenerate.ts'
import { createDeployment } from './deployment.ts'
import { failing, unreachable } from './faulty/places.ts'
import { faulty } from './faulty.ts'
import { legal } from './legal.ts'
import { judgeVariant } from './trial.ts'
import type { Faulty } from './variant.ts'
import { createClock, mainKey } from './world.ts'

function judged(server: Faulty['server'], baseUrl = 'http://pets.test/v1'): Promise<Report> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const handler = typeof server === 'function' ? server : createDeployment(clock, server)
  return runConformance({ baseUrl, key: mainKey, profile: 'create', clock, fetch: handler })
}

const faultyOne = (does: string): Faulty => faulty.find((one) => one.does === does) ?? assert.fail(does)

const isOpen = (verdict: Verdict): boolean => verdict !== 'pass' && verdict !== 'not-applicable'

const causesOf = ({ causes }: Report): readonly string[] => causes.map(({ id }) => id)

/** What holds of the causes of every report. */
function assertSound({ causes, rules, exchanges }: Report): void {
  const explained = causes.flatMap((cause) => cause.rules)
  assert.equal(new Set(explained).size, explained.length, 'a rule has one cause at most')
  for (const id of explained) {
    const verdict = rules.find((rule) => rule.id === id)?.verdict ?? 'pass'
    assert.ok(isOpen(verdict), `${id} is ${verdict}`)
  }
  const sent = new Set(exchanges.map(({ id }) => id))
  for (const cause of causes) {
    assert.ok(cause.rules.length > 0 && cause.exchanges.length > 0, cause.id)
    assert.ok(
      cause.exchanges.every((id) => sent.has(id)),
      cause.id,
    )
    assert.match(cause.title, /^[\p{Lu}\d]/u)
    assert.doesNotMatch(`${cause.title} ${cause.advice}`, /undefined|\[object/)
    assert.notEqual(cause.advice, '')
  }
}

describe('causes', () => {
  for (const { cause, does, server, showsCause } of faulty) {
    test(`a deployment that ${does} ${showsCause ? 'shows' : 'does not show'} the cause ${cause}`, async () => {
      const report = await judged(server)
      assertSound(report)
      if (showsCause) assert.equal(causesOf(report)[0], cause, JSON.stringify(report.causes))
      else assert.ok(!causesOf(report).includes(cause))
    })
  }

  test('the reference deployment shows no cause', async () => {
    assert.deepEqual(causesOf(await judged({})), [])
  })

  for (const [cause, error, code] of unreachable) {
    test(`a connection that fails with "${error}" shows the cause ${cause}`, async () => {
      const report = await judged(failing(error, code))
      assertSound(report)
      assert.deepEqual(causesOf(report), [cause])
      const open = report.rules.filter(
        ({ verdict, deselected }) => isOpen(verdict) && deselected === undefined,
      )
      assert.deepEqual(
        report.causes[0]?.rules,
        open.map(({ id }) => id),
      )
      assert.equal(exitCode(report), 3)
    })
  }

  for (const { does, handler } of degenerate) {
    test(`every failure of a server that always ${does} has a cause`, async () => {
      const report = await judged(handler)
      assertSound(report)
      const explained = new Set(report.causes.flatMap(({ rules }) => rules))
      const failed = report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
      assert.ok(report.causes.length > 0)
      assert.deepEqual(
        failed.filter((id) => !explained.has(id)),
        [],
      )
    })
  }

  test('a TLS server that closes every connection may require a client certificate', async () => {
    for (const [baseUrl, words] of [
      ['https://pets.test/v1', /client certificate/],
      ['http://pets.test/v1', /https:\/\//],
    ] as const) {
      const report = await judged(failing('other side closed', 'UND_ERR_SOCKET'), baseUrl)
      assert.match(report.causes[0]?.advice ?? '', words)
    }
  })

  test('every kind of fault has a deployment that shows it', () => {
    const shown = new Set<string>([
      ...faulty.filter(({ showsCause }) => showsCause).map(({ cause }) => cause),
      ...unreachable.map(([cause]) => cause),
    ])
    assert.deepEqual(
      faultKinds.map(({ id }) => id).filter((id) => !shown.has(id)),
      [],
    )
  })

  test('every id of a cause is used once', () => {
    const ids = faultKinds.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('a fault behind another one is found too', async () => {
    const layers = [
      'writes its ids as strings',
      'writes category_id',
      'wraps lists and animals in data',
      'declares its JSON as text',
      'writes a byte order mark before its JSON',
    ]
    const report = await judged({
      middleware: (request, next, world) => {
        const handle = layers.reduce<typeof next>((inner, does) => {
          const { server } = faultyOne(does)
          const middleware = typeof server === 'function' ? undefined : server.middleware
          // these changes are synchronous
          return (outer) => (middleware ?? assert.fail(does))(outer, inner, world) as ReturnType<typeof next>
        }, next)
        return handle(request)
      },
    })
    assertSound(report)
    assert.deepEqual(causesOf(report), ['byte-order-mark', 'wrapped', 'members', 'content-type'])
    const explained = new Set(report.causes.flatMap(({ rules }) => rules))
    assert.deepEqual(
      report.rules.filter(({ id, verdict }) => verdict === 'fail' && !explained.has(id)),
      [],
    )
  })

  for (const [does, title, advice] of [
    [
      'redirects every request to another host',
      'Every response redirects to https://www.pets.test/v1',
      'use https://www.pets.test/v1 as the base URL',
    ],
    [
      'redirects every request to a page for logins',
      'Every response redirects to https://login.pets.test/?next=%2Fv1%2Fpets',
      'if it is a login page, use the address at which the API itself is served',
    ],
    [
      'redirects every path to itself with a slash',
      'Every response redirects to its path with a slash at the end, such as http://pets.test/v1/pets/',
      'serve the paths of the interface, which have no slash at the end',
    ],
    [
      'redirects every path to itself',
      'Every response redirects to the same address again',
      'look for a rule of the server, or of a proxy in front of it, that redirects in a circle',
    ],
  ] as const) {
    test(`the cause of a deployment that ${does} names the place, and what to do`, async () => {
      const [cause] = (await judged(faultyOne(does).server)).causes
      assert.deepEqual([cause?.title, cause?.advice], [title, advice])
    })
  }

  test('a reset in seconds to go is quoted beside what the interface requires', async () => {
    const [cause] = (await judged(faultyOne('writes the reset as the seconds until then').server)).causes
    assert.equal(
      cause?.title,
      'X-RateLimit-Reset: 55 looks like seconds to go; the interface requires a Unix time in seconds',
    )
    assert.deepEqual(cause.rules, ['RATE-6'])
  })

  test('a cause of a legal deployment explains only what could not be judged', async () => {
    for (const variant of legal.filter(({ unproven = [], endsEarly }) => unproven.length > 0 || endsEarly)) {
      const report = await judgeVariant(variant, 'create')
      assertSound(report)
      const broken = report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
      assert.deepEqual(
        report.causes.flatMap(({ rules }) => rules).filter((id) => broken.includes(id)),
        [],
        variant.does,
      )
    }
  })
})
