import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import type { Profile } from '../steps/profile.ts'
import { createDeployment, type Handler } from '../testing/deployments/deployment.ts'
import { toRequest } from '../testing/deployments/unusual-http.ts'
import { createClock, mainKey, throttleKey } from '../testing/deployments/world.ts'
import { serveHttp, type TestServer } from '../testing/servers.ts'
import type { Exchange, Transcript } from '../transcript/transcript.ts'
import type { RunOptions } from './options.ts'
import { record } from './record.ts'

const servers: TestServer[] = []
after(async () => {
  for (const server of servers) await server.close()
})

interface Run {
  readonly transcript: Transcript
  /** The requests that the server received, in order. */
  readonly arrived: readonly string[]
  /** The requests on each connection. */
  readonly connections?: readonly (readonly string[])[]
}

/** Runs the suite in process, with `instead` replacing some responses. */
async function runProfile(
  profile: Profile,
  instead: (request: Request, number: number) => Response | undefined,
  more: Partial<RunOptions> = {},
): Promise<Run> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const deployment = createDeployment(clock)
  const arrivedRequests: string[] = []
  const fetch: Handler = async (request) => {
    const { pathname, search } = new URL(request.url)
    arrivedRequests.push(`${request.method} ${pathname}${search}`)
    return instead(request, arrivedRequests.length) ?? deployment(request)
  }
  const options = {
    baseUrl: 'http://pets.test/v1',
    apiKey: mainKey,
    throttleKey,
    profile,
    clock,
    fetch,
    ...more,
  }
  return { transcript: await record(options), arrived: arrivedRequests }
}

const isTarget = (target: string) => (request: Request) => request.url.endsWith(target)
const createResponse = (code: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code: 'e', message: 'No.', status: code }, { status: code, headers })
function replaceFirst(response: Response, test = isTarget('?limit=2')) {
  let isDone = false
  return (request: Request) => {
    if (isDone || !test(request)) return undefined
    isDone = true
    return response
  }
}
const isPost = ({ method }: Request): boolean => method === 'POST'
const findExchange = ({ exchanges }: Transcript, id: string): Exchange =>
  exchanges.find((exchange) => exchange.id === id) ?? assert.fail(`the transcript has no exchange ${id}`)
const readStatus = ({ response, error }: Exchange): number | string | undefined =>
  response === undefined ? error : response.status
const failures = (transcript: Transcript): readonly string[] =>
  judge(transcript).rules.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [id] : []))

describe('a 429 that the suite did not provoke', () => {
  const limitHeaders = {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse('2026-11-20T12:01:00Z') / 1000),
  }
  const createRejection = (retryAfter?: string): Response =>
    createResponse(429, { ...limitHeaders, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) })

  it('makes the suite wait once and repeat the GET', async () => {
    const { transcript } = await runProfile('read', replaceFirst(createRejection('65')))
    const repeatedExchange = findExchange(transcript, 'list-2')
    assert.ok(repeatedExchange.at >= 66_000)
    assert.deepEqual([repeatedExchange.times, readStatus(repeatedExchange)], [2, 200])
    assert.deepEqual(transcript.waits, [{ before: 'list-2', reason: 'Retry-After', ms: 66_000 }])
    assert.deepEqual([failures(transcript), transcript.endedEarly], [[], undefined])
    const [{ message = '' } = {}, ...others] = judge(transcript).notes
    assert.match(message, /waited 66 s .*Retry-After/)
    assert.deepEqual(others, [])
  })

  it('makes the suite wait but not repeat a POST', async () => {
    const { transcript, arrived } = await runProfile('create', replaceFirst(createRejection('1'), isPost))
    const firstPost = transcript.exchanges.find(({ request }) => request.method === 'POST') ?? assert.fail()
    assert.match(String(readStatus(firstPost)), /the suite waited, but does not send a POST twice/)
    assert.deepEqual([failures(transcript), transcript.endedEarly], [[], undefined])
    assert.equal(judge(transcript).requests, arrived.length)
    assert.equal(arrived.length, transcript.exchanges.length)
  })

  it('ends the run if Retry-After is missing, invalid or over 65 s', async () => {
    for (const retryAfter of ['66', 'soon', undefined]) {
      const { transcript, arrived } = await runProfile('read', replaceFirst(createRejection(retryAfter)))
      assert.match(transcript.endedEarly ?? '', /\(list-2\) returned 429/)
      assert.equal(arrived.at(-1), 'GET /v1/pets?limit=2')
    }
  })

  it('ends the run if the repeated GET also gets a 429', async () => {
    const { transcript, arrived } = await runProfile('read', (request) =>
      isTarget('?limit=2')(request) ? createRejection('1') : undefined,
    )
    assert.match(transcript.endedEarly ?? '', /\(list-2\) returned 429/)
    assert.deepEqual(arrived.slice(-2), ['GET /v1/pets?limit=2', 'GET /v1/pets?limit=2'])
    assert.deepEqual(failures(transcript), [])
  })
})

type Failing = (request: string, count: number) => 'reset' | 'malformed' | undefined

/** Runs the suite over TCP against a server that breaks some connections. */
async function runOnSockets(
  profile: Profile,
  failing: Failing,
  more: Partial<RunOptions> = {},
): Promise<Run> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const deployment = createDeployment(clock)
  const arrivedRequests: string[] = []
  const requestsByConnection = new Map<unknown, string[]>()
  const server = await serveHttp(async (incoming, response) => {
    const request = await toRequest(incoming)
    const name = `${incoming.method} ${incoming.url}`
    arrivedRequests.push(name)
    requestsByConnection.set(incoming.socket, [...(requestsByConnection.get(incoming.socket) ?? []), name])
    const failure = failing(name, arrivedRequests.filter((other) => other === name).length)
    if (failure === 'reset') return void incoming.socket.resetAndDestroy()
    if (failure === 'malformed') return void incoming.socket.end('[]\r\n\r\n')
    const deploymentResponse = await deployment(request)
    response
      .writeHead(deploymentResponse.status, Object.fromEntries(deploymentResponse.headers))
      .end(await deploymentResponse.text())
  })
  servers.push(server)
  const transcript = await record({ baseUrl: server.baseUrl, apiKey: mainKey, profile, clock, ...more })
  return { transcript, arrived: arrivedRequests, connections: [...requestsByConnection.values()] }
}

const fails =
  (failure: 'reset' | 'malformed', isMeant = (count: number): boolean => count === 1): Failing =>
  (name, count) =>
    name.endsWith('?limit=2') && isMeant(count) ? failure : undefined

describe('connections', () => {
  it('are reused for GETs, but each POST opens a new connection', async () => {
    const { transcript, connections = [] } = await runOnSockets('create', () => undefined)
    const connectionsWithPost = connections.filter((names) => names.some((name) => name.startsWith('POST')))
    const posts = transcript.exchanges.filter(({ request }) => request.method === 'POST')
    assert.equal(connectionsWithPost.length, posts.length)
    assert.deepEqual(
      connectionsWithPost.filter(({ length }) => length > 1),
      [['POST /v1/pets', 'GET /v1/pets?limit=1']],
    )
    assert.ok(connections.some(({ length }) => length > 10))
    assert.equal(findExchange(transcript, 'list-same-connection').sameConnection, true)
  })
})

describe('a request on a broken connection', () => {
  for (const failure of ['reset', 'malformed'] as const) {
    it(`is repeated if it is a GET on a reused connection (${failure})`, async () => {
      const { transcript } = await runOnSockets('read', fails(failure))
      const repeatedExchange = findExchange(transcript, 'list-2')
      assert.deepEqual([repeatedExchange.times, readStatus(repeatedExchange)], [2, 200])
      assert.deepEqual([failures(transcript), judge(transcript).notes], [[], []])
    })
  }

  it('is repeated only within the limit of --max-requests', async () => {
    for (const [maxRequests, times] of [
      [8, 2],
      [7, undefined],
    ] as const) {
      const { transcript, arrived } = await runOnSockets('read', fails('reset'), { maxRequests })
      assert.deepEqual([arrived.length, judge(transcript).requests], [maxRequests, maxRequests])
      assert.equal(findExchange(transcript, 'list-2').times, times)
    }
  })

  it('is repeated only once', async () => {
    const { transcript, arrived } = await runOnSockets(
      'read',
      fails('reset', () => true),
    )
    assert.match(String(readStatus(findExchange(transcript, 'list-2'))), /closed|ECONNRESET/)
    assert.equal(arrived.filter((name) => name.endsWith('?limit=2')).length, 2)
  })

  it('is never repeated if it is a POST', async () => {
    const { transcript, arrived } = await runOnSockets('create', (name, count) =>
      name.startsWith('POST') && count === 1 ? 'reset' : undefined,
    )
    const posts = transcript.exchanges.filter(({ request }) => request.method === 'POST')
    assert.equal(arrived.filter((name) => name.startsWith('POST')).length, posts.length)
    assert.ok(posts.every(({ times }) => times === undefined))
  })
})

describe('a server that drops connections', () => {
  const runWithDrops = (isDropped: (request: Request, body: string, number: number) => boolean) => {
    const clock = createClock('2026-11-20T12:00:05Z')
    const deployment = createDeployment(clock)
    let number = 0
    const fetch: Handler = async (request) => {
      number += 1
      const body = await request.clone().text()
      if (isDropped(request, body, number)) throw new TypeError('other side closed')
      return deployment(request)
    }
    return record({ baseUrl: 'http://pets.test/v1', apiKey: mainKey, profile: 'create', clock, fetch })
  }
  const listIds = ({ exchanges }: Transcript): readonly string[] => exchanges.map(({ id }) => id)

  it('does not end the run if it drops only invalid requests', async () => {
    const isValid = (body: string): boolean => /"name":"Test.*"categoryId":\d+[,}]/.test(body)
    const transcript = await runWithDrops((request, body) => isPost(request) && !isValid(body))
    assert.equal(transcript.endedEarly, undefined)
    assert.ok(listIds(transcript).includes('list-after-errors-1'))
    assert.ok(listIds(transcript).includes('no-key-get'))
    assert.ok(transcript.exchanges.length <= 80)
  })

  it('ends the run if it drops every request', async () => {
    let isGone = false
    const transcript = await runWithDrops((_, body) => {
      isGone ||= body === '{}'
      return isGone
    })
    assert.match(transcript.endedEarly ?? '', /consecutive requests got no complete response/)
    assert.equal(listIds(transcript).at(-1), 'list-after-errors-1')
  })
})

describe('parallel requests', () => {
  it('are all sent before the first response arrives', async () => {
    const startedAt = performance.now()
    const getElapsedMs = (): number => performance.now() - startedAt
    const clock = { ...createClock('2026-11-20T12:00:05Z'), elapsed: getElapsedMs }
    const { transcript, connections = [] } = await runOnSockets('exhaust', () => undefined, {
      clock,
      throttleKey,
    })
    const parallelExchanges = transcript.exchanges.filter((exchange) => exchange.group === 'limit-together')
    assert.equal(parallelExchanges.length, 20)
    assert.ok(connections.filter(({ length }) => length === 1).length >= 20)
    const startTimes = parallelExchanges.map(({ at }) => at)
    const firstEnd = Math.min(...parallelExchanges.map(({ at, response }) => at + (response?.ms ?? 0)))
    assert.ok(Math.max(...startTimes) < firstEnd, `${Math.max(...startTimes)} is not before ${firstEnd}`)
  })

  it('record the time when each request was sent', async () => {
    let ticks = 0
    const clock = { ...createClock('2026-11-20T12:00:05Z'), elapsed: () => ticks++ }
    const { transcript } = await runProfile('create', () => undefined, { clock })
    const startTimes = transcript.exchanges.flatMap(({ at, group }) => (group === undefined ? [] : [at]))
    const [first = 0] = startTimes
    assert.deepEqual(startTimes, [first, first + 1, first + 2, first + 3])
  })

  it('are followed by a pause if one of the requests failed', async () => {
    let burnt = 0
    const isLateRequest = ({ headers }: Request): boolean =>
      headers.get('authorization') === `Bearer ${throttleKey}` && burnt++ > 9
    const { transcript } = await runProfile('exhaust', replaceFirst(createResponse(503), isLateRequest))
    const lastParallelIndex = transcript.exchanges.findLastIndex(({ group }) => group !== undefined)
    const [before, after] = transcript.exchanges.slice(lastParallelIndex, lastParallelIndex + 2)
    assert.ok(before !== undefined && after !== undefined && after.at - before.at >= 500)
  })
})
