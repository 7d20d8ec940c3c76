import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Report, runConformance } from '../index.ts'
import {
  allOf,
  always,
  editRequest,
  editResponse,
  headers,
  isAnonymous,
  isCreate,
  isGet,
  isList,
  items,
  json,
  limitedBy,
  not,
  on,
  queryIs,
  replaced,
  reset,
} from '../testing/deployments/change.ts'
import { degenerate } from '../testing/deployments/degenerate.ts'
import { type Change, createDeployment, type Handler } from '../testing/deployments/deployment.ts'
import { type ApiResponse, createErrorResponse, jsonResponse } from '../testing/deployments/exchange.ts'
import { fixedWindow, minute } from '../testing/deployments/limiter.ts'
import { createClock, mainKey } from '../testing/deployments/world.ts'
import { faultKinds } from './find.ts'

type Server = Change | Handler

const page = (status: number, title: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/html', server: 'edge' },
  body: `<!doctype html><title>${title}</title>`,
})
/** Sends the same response to every request. */
const all = (response: ApiResponse): Change => editResponse(always, response)
const errors = (edit: (response: ApiResponse) => ApiResponse): Change =>
  editResponse(always, (response) => (response.status < 400 ? response : edit(response)))
const invalid = (status: number, when = always): Change =>
  on(400, allOf(isCreate, when), createErrorResponse(status))
const wrap = json((data) => ({ data, total: 1n }))
const typed = (type: string): Change => editResponse(always, headers({ 'content-type': type }))
const resetting = (to: Parameters<typeof reset>[0]): Change => editResponse(always, reset(to))
const created = (edit: Parameters<typeof items>[0]): Change => on(201, isCreate, items(edit))
const noLimits = {
  'x-ratelimit-limit': undefined,
  'x-ratelimit-remaining': undefined,
  'x-ratelimit-reset': undefined,
}
/** Adds the values of the three headers under the names of the IETF draft. */
const withDraftNames = (response: ApiResponse): ApiResponse =>
  headers(
    Object.fromEntries(Object.keys(noLimits).map((name) => [name.replace('x-', ''), response.headers[name]])),
  )(response)
/** Redirects each request to the address that the function returns. */
const redirects =
  (to: (url: URL) => string): Handler =>
  async (request) =>
    new Response(null, { status: 308, headers: { location: to(new URL(request.url)) } })

const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795176060' }

/** A server in front of the reference deployment, which responds by itself if the function returns a response. */
function behind(
  edge: (request: Request, n: number) => ApiResponse | undefined | Promise<ApiResponse | undefined>,
): Handler {
  const reference = createDeployment(createClock('2026-11-20T12:00:05Z'))
  let requests = 0
  return async (request) => {
    const own = await edge(request.clone(), ++requests)
    return own === undefined
      ? reference(request)
      : new Response(own.body, { status: own.status, headers: { ...own.headers } as Record<string, string> })
  }
}

/** Responds to every request from the n-th one on in the same way. */
const from = (first: number, response: ApiResponse): Handler =>
  behind((_, n) => (n >= first ? response : undefined))
const isGetPet = ({ url }: Request): boolean => /\/pets\/\d+$/.test(url)
const toLongBodies = (response: ApiResponse): Handler =>
  behind(async (request) => ((await request.text()).length > 70 ? response : undefined))

/** A cache in front of the reference deployment, which stores responses to GET by their address, or stores none. */
function caching(isOn: boolean): Handler {
  const reference = createDeployment(
    createClock('2026-11-20T12:00:05Z'),
    limitedBy(() => fixedWindow(500, minute)),
  )
  const stored = new Map<string, Response>()
  return async (request) => {
    const hit = stored.get(request.url)
    if (hit !== undefined && request.method === 'GET') return hit.clone()
    const response = await reference(request)
    if (isOn && response.ok && request.method === 'GET') stored.set(request.url, response.clone())
    return response
  }
}

/** A server that accepts no connection, with the error of Node's `fetch`. */
const failing =
  (message: string, code?: string): Handler =>
  () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) }))

/** For each cause a deployment that shows it, a nearly equal one that does not, and words of the cause. */
const servers: Readonly<
  Record<string, readonly [shows: Server, nearly: Server, says?: RegExp, base?: string]>
> = {
  'expects-tls': [
    all(page(400, '400 The plain HTTP request was sent to HTTPS port')),
    editResponse(isGet, page(400, '400 The plain HTTP request was sent to HTTPS port')),
    /plain http: .*: begin the base URL with https:/,
  ],
  'client-certificate': [
    all(page(400, '400 No required SSL certificate was sent')),
    editResponse(isGet, page(400, '400 No required SSL certificate was sent')),
    /--cert FILE and --key-file FILE$/,
  ],
  'http2-only': [
    all(page(403, 'Unknown ALPN Protocol, expected `h2` to be available.')),
    editResponse(isGet, page(403, 'Unknown ALPN Protocol, expected `h2` to be available.')),
    /HTTP\/2 only/,
  ],
  'base-url-with-pets': [
    {},
    all(createErrorResponse(404)),
    /the first request goes to http:\/\/pets\.test\/v1\/pets\/pets: use http:\/\/pets\.test\/v1 as/,
    'http://pets.test/v1/pets',
  ],
  'no-response': [
    failing('connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED'),
    editResponse(isGet, createErrorResponse(500)),
    /^No response came from http:\/\/pets\.test\/v1: .*ECONNREFUSED.*start the deployment/,
  ],
  redirect: [
    redirects(({ pathname, search }) => `https://www.pets.test${pathname}${search}`),
    editResponse(isGet, { status: 302, headers: { location: '/login' }, body: '' }),
    /the first one to https:\/\/www\.pets\.test\/v1\/pets: use https:\/\/www\.pets\.test\/v1 as the base URL$/,
  ],
  gateway: [all(page(502, 'Bad Gateway')), editResponse(isGet, page(502, 'Bad Gateway'))],
  html: [all(page(200, 'Adopt a pet')), errors(({ status }) => page(status, 'Sorry'))],
  'nothing-there': [
    all({ status: 404, headers: {}, body: '404 page not found' }),
    editResponse(isGet, createErrorResponse(404)),
  ],
  'key-rejected': [
    all(createErrorResponse(401, 'invalid_api_key', 'This key was never issued.')),
    editResponse(queryIs('limit', '2'), createErrorResponse(401)),
  ],
  'same-response': [
    all(jsonResponse(200, { ok: true })),
    editResponse(not(isList), jsonResponse(200, { ok: true })),
  ],
  'gateway-limit': [
    from(20, page(429, 'Slow down')),
    from(20, { ...jsonResponse(429, { code: 'e', message: 'No.', status: 429 }), headers: limits }),
    /\S+ \/pets\S* \(\S+\) \(429, Server: edge\): send more slowly with --pace/,
  ],
  banned: [
    from(20, page(403, 'Blocked')),
    behind((request) => (isGetPet(request) ? page(403, 'Blocked') : undefined)),
    /from one on: \S+ \S+ \(\S+\) \(403, Server: edge\)/,
  ],
  'body-limit': [
    toLongBodies(page(413, 'Request Entity Too Large')),
    toLongBodies({ ...jsonResponse(400, { code: 'e', message: 'No.', status: 400 }), headers: limits }),
    /A body of \d+ characters is too large: POST \/pets \(\S+\) \(413, Server: edge\)/,
  ],
  'front-end': [
    behind((request) => (isGetPet(request) ? page(403, 'Forbidden') : undefined)),
    editResponse(isGet, createErrorResponse(403)),
    /responds by itself in \d+ of \d+ responses, the first time to GET \/pets\/\d+ \(\S+\) \(403, Server: edge\)/,
  ],
  cache: [
    caching(true),
    caching(false),
    /GET \/pets\S* \(\S+\) has the Date and the limit of GET \/pets\S* \(/,
  ],
  'server-errors': [
    editResponse(isGet, createErrorResponse(500)),
    editResponse(queryIs('limit', 'abc'), createErrorResponse(500)),
    /^\d+ of \d+ responses are 5xx, the first one to GET/,
  ],
  'forbidden-without-key': [
    editResponse(isAnonymous, createErrorResponse(403)),
    on(403, always, createErrorResponse(401)),
    /get a 403 instead of a 401: \d+ of them/,
  ],
  wrapped: [
    on([200, 201], always, wrap),
    on(
      200,
      isList,
      json((data) => ({ data, included: [] })),
    ),
  ],
  'error-shape': [
    errors((response) => replaced(response, jsonResponse(response.status, { error: 'no' }))),
    errors(items({ code: 'no', message: 'No.', more: true })),
  ],
  'content-type': [typed('text/plain'), typed('application/json; charset=utf-8')],
  'renamed-limit-headers': [
    editResponse(always, (response) => headers(noLimits)(withDraftNames(response))),
    editResponse(always, withDraftNames),
  ],
  'no-limit-headers': [
    on([401, 404], always, headers(noLimits)),
    on(401, always, headers({ 'x-ratelimit-reset': undefined })),
  ],
  'reset-in-seconds-to-go': [
    resetting((seconds, now) => seconds - now),
    resetting((_, now) => now - 400),
    /^X-RateLimit-Reset: 55 looks like seconds to go; .* requires a Unix time/,
  ],
  'no-authentication': [
    editRequest(isAnonymous, { authorization: `Bearer ${mainKey}` }),
    editResponse(isAnonymous, createErrorResponse(403)),
  ],
  'validation-status': [invalid(422), invalid(422, ({ body }) => body === '{}')],
  'rounded-integers': [
    created((pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
    created((pet) => (pet.categoryId === 9007199254740993n ? { ...pet, categoryId: 7n } : pet)),
  ],
}

function judged(server: Server, baseUrl = 'http://pets.test/v1'): Promise<Report> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const handler = typeof server === 'function' ? server : createDeployment(clock, server)
  return runConformance({
    baseUrl,
    key: mainKey,
    profile: 'create',
    clock,
    fetch: handler,
  })
}

const listCauses = ({ causes }: Report): readonly string[] => causes.map(({ id }) => id)

/** Checks the laws of the causes of every report. */
function assertSound({ causes, rules, exchanges }: Report): void {
  const explained = causes.flatMap((cause) => cause.rules)
  assert.equal(new Set(explained).size, explained.length, 'a rule has one cause at most')
  for (const id of explained) {
    const verdict = rules.find((rule) => rule.id === id)?.verdict ?? 'pass'
    assert.ok(verdict !== 'pass' && verdict !== 'not-applicable', `${id} is ${verdict}`)
  }
  const sent = new Set(exchanges.map(({ id }) => id))
  for (const cause of causes) {
    assert.ok(cause.rules.length > 0 && cause.exchanges.length > 0, cause.id)
    assert.ok(cause.exchanges.every((id) => sent.has(id)))
    assert.doesNotMatch(`${cause.title} ${cause.advice}`, /undefined|\[object/)
  }
}

/** The rules that fail and have no cause. */
function unexplained({ causes, rules }: Report): readonly string[] {
  const explained = new Set(causes.flatMap((cause) => cause.rules))
  return rules.filter(({ id, verdict }) => verdict === 'fail' && !explained.has(id)).map(({ id }) => id)
}

describe('causes', () => {
  test('have deployments that show each fault, and ones that nearly do', () => {
    assert.deepEqual(
      // `unusual-http.test.ts` has the case of a body left on a connection
      faultKinds.flatMap(({ id }) => (id === 'unread-body' ? [] : [id])).toSorted(),
      Object.keys(servers).toSorted(),
    )
  })

  for (const [cause, [shows, nearly, says = /./, base]] of Object.entries(servers)) {
    test(`include ${cause}, but not for a nearly equal deployment`, async () => {
      const report = await judged(shows, base)
      assertSound(report)
      const [first] = report.causes
      assert.equal(first?.id, cause, JSON.stringify(report.causes))
      assert.match(`${first?.title}: ${first?.advice}`, says)
      const other = await judged(nearly)
      assertSound(other)
      assert.ok(!listCauses(other).includes(cause))
    })
  }

  test('are absent for the reference deployment', async () => {
    assert.deepEqual(listCauses(await judged({})), [])
  })

  for (const { does, handler } of degenerate) {
    test(`explain every failure of a server that always ${does}`, async () => {
      const report = await judged(handler)
      assertSound(report)
      assert.deepEqual(unexplained(report), [])
    })
  }

  for (const [form, values, says] of [
    [
      'one header of another name',
      (response: ApiResponse) =>
        headers({
          'x-ratelimit-reset': undefined,
          'x-ratelimit-requests-reset': response.headers['x-ratelimit-reset'],
        })(response),
      /^X-RateLimit-Reset has another name or form, such as x-ratelimit-requests-reset$/,
    ],
    [
      'RateLimit of draft 7',
      headers({ ...noLimits, ratelimit: 'limit=60, remaining=59, reset=55' }),
      /such as RateLimit: limit=60, remaining=59, reset=55$/,
    ],
    [
      'RateLimit of draft 8',
      headers({ ...noLimits, ratelimit: '"minute";r=59;t=55', 'ratelimit-policy': '"minute";q=60;w=60' }),
      /such as RateLimit: "minute";r=59;t=55$/,
    ],
  ] as const)
    test(`names ${form}`, async () => {
      const report = await judged(editResponse(always, values))
      assertSound(report)
      const cause = report.causes.find(({ id }) => id === 'renamed-limit-headers')
      assert.match(cause?.title ?? JSON.stringify(report.causes), says)
      assert.ok(!listCauses(report).includes('no-limit-headers'))
    })

  for (const [cause, reason] of [
    ['redirect', /are redirects, to https:\/\/www\.pets\.test\/v1\/pets/],
    ['expects-tls', /expects TLS/],
    ['client-certificate', /client certificate/],
  ] as const)
    test(`end a run after three requests: ${cause}`, async () => {
      const [server = {}] = servers[cause] ?? []
      const { exchanges, endedEarly } = await judged(server)
      assert.equal(exchanges.length, 3)
      assert.match(endedEarly ?? '', reason)
    })

  test('a run goes on if only the first responses differ from a redirect', async () => {
    let requests = 0
    const report = await judged(
      editResponse(() => ++requests === 2, { status: 302, headers: { location: '/login' }, body: '' }),
    )
    assert.equal(report.endedEarly, undefined)
  })

  for (const [error, code, says] of [
    ['tlsv1 alert no application protocol', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', /HTTP\/2 only/],
    ['wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER', /begins with http:/],
    [
      'the proxy http://proxy.test:3128 fails: connect ECONNREFUSED 10.0.0.1:3128',
      'ECONNREFUSED',
      /^start the proxy/,
    ],
  ] as const)
    test(`advises on ${code}: ${says.source}`, async () => {
      const [cause] = (await judged(failing(error, code))).causes
      assert.match(cause?.advice ?? '', says)
    })

  test('include a fault behind another one', async () => {
    const report = await judged(
      on([200, 201], always, (response) => headers({ 'content-type': 'text/plain' })(wrap(response))),
    )
    assertSound(report)
    assert.deepEqual(listCauses(report), ['wrapped', 'content-type'])
    assert.deepEqual(unexplained(report), [])
  })
})
