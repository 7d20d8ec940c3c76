import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { serveHttp, serveSockets, type TestServer } from '../network/testing/servers.ts'
import { createDeployment, type Handler } from '../sabotage/deployment.ts'
import { toRequest } from '../sabotage/unusual-http.ts'
import { createClock, mainKey, throttleKey } from '../sabotage/world.ts'
import { stepOf } from '../steps/phases.ts'
import type { Profile } from '../steps/profile.ts'
import { unknown } from '../steps/step.ts'
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

/** Runs against the reference deployment in this process, in which `instead` replaces responses. */
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

const status = (code: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code: 'e', message: 'No.', status: code }, { status: code, headers })
/** Returns a response in place of the first one that the test holds for. */
function once(
  test: (request: Request) => boolean,
  make: () => Response,
): (request: Request) => Response | undefined {
  let isDone = false
  return (request) => {
    if (isDone || !test(request)) return undefined
    isDone = true
    return make()
  }
}
const isTarget = (target: string) => (request: Request) => request.url.endsWith(target)
const isPost = ({ method }: Request): boolean => method === 'POST'
const named = ({ exchanges }: Transcript, id: string): Exchange =>
  exchanges.find((exchange) => exchange.id === id) ?? assert.fail(`there is no ${id}`)
const statusOf = ({ outcome }: Pick<Exchange, 'outcome'>): number | string =>
  outcome.kind === 'response' ? outcome.response.status : outcome.error
/** The POSTs without a valid key, and the exchange behind each on its connection. */
const followedPosts = ({ exchanges }: Transcript): readonly { post: Exchange; next: Exchange }[] =>
  exchanges.flatMap((post, n) => {
    const next = exchanges[n + 1]
    const isKeyless = post.request.method === 'POST' && post.credential !== 'key'
    return isKeyless && next?.continues !== undefined ? [{ post, next }] : []
  })
const failures = (transcript: Transcript): readonly string[] =>
  judge(transcript).rules.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [id] : []))

describe('a surprise', () => {
  it('on a GET is confirmed: the second response is judged', async () => {
    const { transcript } = await run(
      'read',
      once(isTarget('?limit=2'), () => status(500)),
    )
    const { times, outcome } = named(transcript, 'list-2')
    assert.deepEqual([times, statusOf({ outcome })], [2, 200])
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
  const limited = (retryAfter?: string): Response =>
    status(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter })

  it('on a GET is waited out, and the request is sent again', async () => {
    const { transcript } = await run(
      'read',
      once(isTarget('?limit=2'), () => limited('65')),
    )
    const { times, at, outcome } = named(transcript, 'list-2')
    assert.ok(at >= 66_000)
    assert.deepEqual([times, statusOf({ outcome })], [2, 200])
    assert.deepEqual(transcript.waits, [{ before: 'list-2', reason: 'Retry-After', ms: 66_000 }])
    assert.deepEqual([failures(transcript), transcript.endedEarly], [[], undefined])
  })

  it('on a POST is waited out, and the run goes on without sending it again', async () => {
    const { transcript, arrived } = await run(
      'create',
      once(isPost, () => limited('1')),
    )
    const first = transcript.exchanges.find(({ request }) => request.method === 'POST') ?? assert.fail()
    assert.match(String(statusOf(first)), /a POST is not sent again/)
    assert.deepEqual([failures(transcript), transcript.endedEarly], [[], undefined])
    assert.equal(judge(transcript).requests, arrived.length)
    assert.equal(arrived.length, transcript.exchanges.length)
  })

  it('ends the run if it asks for more than 65 s or for nothing', async () => {
    for (const retryAfter of ['66', 'soon', undefined]) {
      const { transcript, arrived } = await run(
        'read',
        once(isTarget('?limit=2'), () => limited(retryAfter)),
      )
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

/** Runs against the reference deployment on a socket, which resets the connection where `isReset` holds. */
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
  it('a POST opens one, and the next GET continues on it, without a valid key too', async () => {
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
  it('before the response to a GET that continued on it is met with one more request on a new one', async () => {
    const { transcript } = await runOnSockets(
      'read',
      (name, count) => name.endsWith('?limit=2') && count === 1,
    )
    const { times, continues, remains, outcome } = named(transcript, 'list-2')
    assert.deepEqual([times, continues, remains, statusOf({ outcome })], [2, false, undefined, 200])
    assert.deepEqual([failures(transcript), judge(transcript).notes], [[], []])
  })

  it('before the second response, too, is an error', async () => {
    const { transcript, arrived } = await runOnSockets('read', (name) => name.endsWith('?limit=2'))
    assert.match(String(statusOf(named(transcript, 'list-2'))), /closed|ECONNRESET/)
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

describe('what a rejected POST leaves on its connection', () => {
  it('is recorded with the next GET, which is sent again on a new connection', async () => {
    const spoilt = new Set<Socket>()
    const server = await serveSockets((socket, text) => {
      const isUnread = spoilt.has(socket)
      const status = isUnread ? '501 Unsupported' : text.startsWith('POST') ? '401 Unauthorized' : '200 OK'
      // it leaves the body, to which it then adds the next request
      if (text.startsWith('POST')) spoilt.add(socket)
      socket.write(`HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]`)
    })
    servers.push(server)
    const transcript = await record({ baseUrl: server.baseUrl, key: mainKey, profile: 'create' })
    assert.deepEqual(
      followedPosts(transcript).map(({ post, next }) => [post.id, next.id, next.continues, next.remains]),
      [
        ['unknown-key-create', 'list-2', true, '501'],
        ['no-key-create', 'key-other-case', true, '501'],
      ],
    )
    const met = transcript.exchanges.filter(({ remains }) => remains !== undefined)
    assert.ok(met.every(({ times, outcome }) => times === 2 && statusOf({ outcome }) === 200))
  })

  it('is nothing where the deployment reads it, and where it closes the connection', async () => {
    for (const connection of ['keep-alive', 'close']) {
      const server = await serveHttp((incoming, response) => {
        incoming.resume().on('end', () => response.writeHead(401, { connection }).end('{}'))
      })
      servers.push(server)
      const transcript = await record({ baseUrl: server.baseUrl, key: mainKey, profile: 'create' })
      const followed = followedPosts(transcript)
      assert.notEqual(followed.length, 0)
      assert.deepEqual(
        followed.map(({ next }) => [next.continues, next.remains]),
        followed.map(() => [connection === 'keep-alive', undefined]),
      )
    }
  })
})

describe('the budget of a run', () => {
  it('counts requests that are sent once more', async () => {
    const { transcript, arrived } = await run(
      'read',
      once(isTarget('?limit=2'), () => status(500)),
      { maxRequests: 5 },
    )
    assert.equal(arrived.length, 5)
    assert.equal(judge(transcript).requests, 5)
    const spent = await run(
      'read',
      once(isTarget('?limit=2'), () => status(500)),
      { maxRequests: 4 },
    )
    assert.deepEqual([spent.arrived.length, statusOf(named(spent.transcript, 'list-2'))], [4, 500])
  })
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
  it(`after the request ${id}, ${surprising} are surprises, ${expected} are not`, () => {
    const step = stepOf(id) ?? assert.fail()
    const isOne = (status: number): boolean => isSurprise({ ...step, target: step.target(unknown) }, status)
    assert.deepEqual([...surprising, ...expected].filter(isOne), surprising)
  })
}
