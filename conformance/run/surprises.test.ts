import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { findStep } from '../steps/phases.ts'
import type { Profile } from '../steps/profile.ts'
import { unknown } from '../steps/step.ts'
import { createDeployment, type Handler } from '../testing/deployments/deployment.ts'
import { toRequest } from '../testing/deployments/unusual-http.ts'
import { createClock, mainKey, throttleKey } from '../testing/deployments/world.ts'
import { serveHttp, type TestServer } from '../testing/servers.ts'
import type { Exchange, Transcript } from '../transcript/transcript.ts'
import type { RunOptions } from './options.ts'
import { record } from './record.ts'
import { isSurprise } from './surprises.ts'

const servers: TestServer[] = []
after(async () => {
  for (const server of servers) await server.close()
})

interface Run {
  readonly transcript: Transcript
  /** The requests as they arrived: method and target. */
  readonly arrived: readonly string[]
  /** The requests of each connection, in the order of their first ones; empty in this process. */
  readonly connections?: readonly (readonly string[])[]
}

/** Runs against the reference deployment in this process. `instead` replaces responses. */
async function run(
  profile: Profile,
  instead: (request: Request, number: number) => Response | undefined,
  more: Partial<RunOptions> = {},
): Promise<Run> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const deployment = createDeployment(clock)
  const arrived: string[] = []
  const fetch: Handler = async (request) => {
    const { pathname, search } = new URL(request.url)
    arrived.push(`${request.method} ${pathname}${search}`)
    return instead(request, arrived.length) ?? deployment(request)
  }
  const options = {
    baseUrl: 'http://pets.test/v1',
    key: mainKey,
    throttleKey,
    profile,
    clock,
    fetch,
    ...more,
  }
  return { transcript: await record(options), arrived }
}

const isTarget = (target: string) => (request: Request) => request.url.endsWith(target)
const status = (code: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code: 'e', message: 'No.', status: code }, { status: code, headers })
/** Replaces the response to the first request that the test holds for, by default the first to `?limit=2`. */
function replaceFirst(response: Response, test = isTarget('?limit=2')) {
  let isDone = false
  return (request: Request) => {
    if (isDone || !test(request)) return undefined
    isDone = true
    return response
  }
}
const isPost = ({ method }: Request): boolean => method === 'POST'
const named = ({ exchanges }: Transcript, id: string): Exchange =>
  exchanges.find((exchange) => exchange.id === id) ?? assert.fail(`there is no ${id}`)
const readStatus = ({ outcome }: Pick<Exchange, 'outcome'>): number | string =>
  outcome.kind === 'response' ? outcome.response.status : outcome.error
const failures = (transcript: Transcript): readonly string[] =>
  judge(transcript).rules.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [id] : []))

describe('a surprise', () => {
  it('on a GET is confirmed: the second response is judged', async () => {
    const { transcript } = await run('read', replaceFirst(status(500)))
    const { times, outcome } = named(transcript, 'list-2')
    assert.deepEqual([times, readStatus({ outcome })], [2, 200])
    assert.deepEqual(failures(transcript), [])
  })

  it('that the second response repeats is judged', async () => {
    const { transcript, arrived } = await run('read', (request) =>
      request.headers.get('authorization') === null ? status(403) : undefined,
    )
    assert.ok(failures(transcript).includes('AUTH-1'))
    assert.equal(arrived.length, transcript.exchanges.length + 1)
    assert.equal(judge(transcript).requests, arrived.length)
  })
})

describe('a 429 outside the burn', () => {
  const limits = {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse('2026-11-20T12:01:00Z') / 1000),
  }
  const limited = (retryAfter?: string): Response =>
    status(429, { ...limits, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) })

  it('on a GET is waited out, and the request is sent again', async () => {
    const { transcript } = await run('read', replaceFirst(limited('65')))
    const { times, at, outcome } = named(transcript, 'list-2')
    assert.ok(at >= 66_000)
    assert.deepEqual([times, readStatus({ outcome })], [2, 200])
    assert.deepEqual(transcript.waits, [{ before: 'list-2', reason: 'Retry-After', ms: 66_000 }])
    assert.deepEqual([failures(transcript), transcript.endedEarly], [[], undefined])
    const [{ message = '' } = {}, ...others] = judge(transcript).notes
    assert.match(message, /waited 66 s .*Retry-After/)
    assert.deepEqual(others, [])
  })

  it('on a POST is waited out, and the run goes on without sending it again', async () => {
    const { transcript, arrived } = await run('create', replaceFirst(limited('1'), isPost))
    const first = transcript.exchanges.find(({ request }) => request.method === 'POST') ?? assert.fail()
    assert.match(String(readStatus(first)), /a POST is not sent again/)
    assert.deepEqual([failures(transcript), transcript.endedEarly], [[], undefined])
    assert.equal(judge(transcript).requests, arrived.length)
    assert.equal(arrived.length, transcript.exchanges.length)
  })

  it('ends the run if it asks for more than 65 s or for nothing', async () => {
    for (const retryAfter of ['66', 'soon', undefined]) {
      const { transcript, arrived } = await run('read', replaceFirst(limited(retryAfter)))
      assert.match(transcript.endedEarly ?? '', /\(list-2\) returned 429/)
      assert.equal(arrived.at(-1), 'GET /v1/pets?limit=2')
    }
  })

  it('ends the run when it comes a second time', async () => {
    const { transcript, arrived } = await run('read', (request) =>
      isTarget('?limit=2')(request) ? limited('1') : undefined,
    )
    assert.match(transcript.endedEarly ?? '', /\(list-2\) returned 429/)
    assert.deepEqual(arrived.slice(-2), ['GET /v1/pets?limit=2', 'GET /v1/pets?limit=2'])
    assert.deepEqual(failures(transcript), [])
  })
})

/** Runs against the reference deployment on a socket, which resets the connection if `isReset` holds. */
async function runOnSockets(
  profile: Profile,
  isReset: (request: string, count: number) => boolean,
): Promise<Run> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const deployment = createDeployment(clock)
  const arrived: string[] = []
  const connections = new Map<unknown, string[]>()
  const server = await serveHttp(async (incoming, response) => {
    const request = await toRequest(incoming)
    const name = `${incoming.method} ${incoming.url}`
    arrived.push(name)
    connections.set(incoming.socket, [...(connections.get(incoming.socket) ?? []), name])
    if (isReset(name, arrived.filter((other) => other === name).length))
      return void incoming.socket.resetAndDestroy()
    const returned = await deployment(request)
    response.writeHead(returned.status, Object.fromEntries(returned.headers)).end(await returned.text())
  })
  servers.push(server)
  const transcript = await record({ baseUrl: server.baseUrl, key: mainKey, profile, clock })
  return { transcript, arrived, connections: [...connections.values()] }
}

describe('the connections of a run', () => {
  it('start with a POST, and carry the next GET', async () => {
    const { transcript, connections = [] } = await runOnSockets('create', () => false)
    const posts = transcript.exchanges.filter(({ request }) => request.method === 'POST')
    assert.ok(connections.every(([, ...others]) => !others.some((name) => name.startsWith('POST'))))
    assert.equal(connections.length, 1 + posts.length)
    const next = transcript.exchanges.filter((_, n) => transcript.exchanges[n - 1]?.request.method === 'POST')
    const gets = next.filter(({ request }) => request.method === 'GET')
    assert.ok(gets.length > 2)
    assert.deepEqual([...new Set(gets.map(({ continues }) => continues))], [true])
  })
})

describe('a closed connection', () => {
  it('ends before a GET: the GET is sent again on a new one', async () => {
    const { transcript } = await runOnSockets(
      'read',
      (name, count) => name.endsWith('?limit=2') && count === 1,
    )
    const { times, continues, leftover, outcome } = named(transcript, 'list-2')
    assert.deepEqual([times, continues, leftover, readStatus({ outcome })], [2, false, undefined, 200])
    assert.deepEqual([failures(transcript), judge(transcript).notes], [[], []])
  })

  it('before the second response, too, is an error', async () => {
    const { transcript, arrived } = await runOnSockets('read', (name) => name.endsWith('?limit=2'))
    assert.match(String(readStatus(named(transcript, 'list-2'))), /closed|ECONNRESET/)
    assert.equal(arrived.filter((name) => name.endsWith('?limit=2')).length, 2)
  })

  it('before the response to a POST is an error: nothing is sent twice', async () => {
    const { transcript, arrived } = await runOnSockets(
      'create',
      (name, count) => name.startsWith('POST') && count === 1,
    )
    const posts = transcript.exchanges.filter(({ request }) => request.method === 'POST')
    assert.equal(arrived.filter((name) => name.startsWith('POST')).length, posts.length)
    assert.ok(posts.every(({ times }) => times === undefined))
  })
})

describe('a server that drops the connection', () => {
  /** Drops the connection of each request that `isDropped` selects. */
  const dropping = (isDropped: (request: Request, body: string, number: number) => boolean) => {
    const clock = createClock('2026-11-20T12:00:05Z')
    const deployment = createDeployment(clock)
    let number = 0
    const fetch: Handler = async (request) => {
      number += 1
      const body = await request.clone().text()
      if (isDropped(request, body, number)) throw new TypeError('other side closed')
      return deployment(request)
    }
    return record({ baseUrl: 'http://pets.test/v1', key: mainKey, profile: 'create', clock, fetch })
  }
  const listIds = ({ exchanges }: Transcript): readonly string[] => exchanges.map(({ id }) => id)

  it('on every invalid body is judged to the end', async () => {
    const isValid = (body: string): boolean => /"name":"Test.*"categoryId":\d+[,}]/.test(body)
    const transcript = await dropping((request, body) => isPost(request) && !isValid(body))
    assert.equal(transcript.endedEarly, undefined)
    assert.ok(listIds(transcript).includes('list-after-errors-1'))
    assert.ok(listIds(transcript).includes('no-key-get'))
    assert.ok(transcript.exchanges.length <= 80)
  })

  it('on every request from then on ends the run', async () => {
    let isGone = false
    const transcript = await dropping((_, body) => {
      isGone ||= body === '{}'
      return isGone
    })
    assert.match(transcript.endedEarly ?? '', /in a row had no complete response/)
    assert.equal(listIds(transcript).at(-1), 'list-after-errors-1')
  })
})

it('the budget of a run counts requests that are sent once more', async () => {
  for (const [maxRequests, judged] of [
    [8, 200],
    [7, 500],
  ] as const) {
    const { transcript, arrived } = await run('read', replaceFirst(status(500)), { maxRequests })
    assert.deepEqual([arrived.length, judge(transcript).requests], [maxRequests, maxRequests])
    assert.equal(readStatus(named(transcript, 'list-2')), judged)
  }
})

const cases: readonly (readonly [id: string, surprising: readonly number[], expected: readonly number[]])[] =
  [
    ['list', [400, 404, 405, 500, 501, 503, 520], [200, 204, 302, 401, 403, 429]],
    ['list-sold-100', [400, 500], [200]],
    ['limit-101', [500], [200, 400, 422]],
    ['status-undeclared', [500], [200, 400]],
    ['get-unknown', [400, 500], [200, 404, 405, 410]],
    ['get-partial-id', [500], [200, 400, 404]],
    ['path-unknown', [500], [404, 400]],
    ['no-key-list', [200, 400, 403, 404, 500], [401, 429]],
    ['unknown-key-get', [200, 400], [401]],
  ]

for (const [id, surprising, expected] of cases) {
  it(`after ${id}, ${surprising} are surprises`, () => {
    const step = findStep(id) ?? assert.fail()
    const isOne = (status: number): boolean => isSurprise({ ...step, target: step.target(unknown) }, status)
    assert.deepEqual([...surprising, ...expected].filter(isOne), surprising)
  })
}
