import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Report, runConformance } from '../index.ts'
import {
  allOf,
  editItems,
  editJson,
  editOn,
  editRequest,
  editReset,
  editResponse,
  everyRequest,
  hasQuery,
  isAnonymous,
  isCreate,
  isGet,
  isList,
  negateCondition,
  replaceResponse,
  setHeaders,
  setLimiter,
} from '../testing/deployments/change.ts'
import { degenerateServers } from '../testing/deployments/degenerate.ts'
import { type Change, createDeployment, type Handler } from '../testing/deployments/deployment.ts'
import { type ApiResponse, createErrorResponse, createJsonResponse } from '../testing/deployments/exchange.ts'
import { createFixedWindow, minuteMs } from '../testing/deployments/limiter.ts'
import { createClock, mainKey } from '../testing/deployments/world.ts'
import { faultKinds } from './find.ts'

type Server = Change | Handler

const createHtmlPage = (status: number, title: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/html', server: 'edge' },
  body: `<!doctype html><title>${title}</title>`,
})
const editEveryResponse = (response: ApiResponse): Change => editResponse(everyRequest, response)
const editErrors = (edit: (response: ApiResponse) => ApiResponse): Change =>
  editResponse(everyRequest, (response) => (response.status < 400 ? response : edit(response)))
const rejectInvalidBodies = (status: number, when = everyRequest): Change =>
  editOn(400, allOf(isCreate, when), createErrorResponse(status))
const wrapInObject = editJson((data) => ({ data, total: 1n }))
const setContentType = (type: string): Change =>
  editResponse(everyRequest, setHeaders({ 'content-type': type }))
const setReset = (to: Parameters<typeof editReset>[0]): Change => editResponse(everyRequest, editReset(to))
const editCreations = (edit: Parameters<typeof editItems>[0]): Change =>
  editOn(201, isCreate, editItems(edit))
const noLimits = {
  'x-ratelimit-limit': undefined,
  'x-ratelimit-remaining': undefined,
  'x-ratelimit-reset': undefined,
}
/** Moves the limits to `RateLimit-Limit` and similar names. */
const renameLimitHeaders = (response: ApiResponse): ApiResponse =>
  setHeaders(
    Object.fromEntries(Object.keys(noLimits).map((name) => [name.replace('x-', ''), response.headers[name]])),
  )(response)
const redirects =
  (to: (url: URL) => string): Handler =>
  async (request) =>
    new Response(null, { status: 308, headers: { location: to(new URL(request.url)) } })

const limitHeaders = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': '1795176060',
}

/** Creates a gateway that responds to some requests itself and forwards the others to the reference deployment. */
function placeBehindGateway(
  edge: (request: Request, n: number) => ApiResponse | undefined | Promise<ApiResponse | undefined>,
): Handler {
  const referenceHandler = createDeployment(createClock('2026-11-20T12:00:05Z'))
  let requests = 0
  return async (request) => {
    const gatewayResponse = await edge(request.clone(), ++requests)
    return gatewayResponse === undefined
      ? referenceHandler(request)
      : new Response(gatewayResponse.body, {
          status: gatewayResponse.status,
          headers: { ...gatewayResponse.headers } as Record<string, string>,
        })
  }
}

const respondFrom = (first: number, response: ApiResponse): Handler =>
  placeBehindGateway((_, n) => (n >= first ? response : undefined))
const isGetPet = ({ url }: Request): boolean => /\/pets\/\d+$/.test(url)
const toLongBodies = (response: ApiResponse): Handler =>
  placeBehindGateway(async (request) => ((await request.text()).length > 70 ? response : undefined))

/** Creates a cache for the reference deployment that returns the same cached response to every API key. */
function createCachingServer(isOn: boolean, more: Readonly<Record<string, string>> = {}): Handler {
  const referenceHandler = createDeployment(
    createClock('2026-11-20T12:00:05Z'),
    setLimiter(() => createFixedWindow(500, minuteMs)),
  )
  const cachedResponses = new Map<string, Response>()
  return async (request) => {
    const cachedResponse = cachedResponses.get(request.url)
    if (cachedResponse !== undefined && request.method === 'GET') {
      const headers = { ...Object.fromEntries(cachedResponse.headers), ...more }
      return new Response(cachedResponse.clone().body, { status: cachedResponse.status, headers })
    }
    const response = await referenceHandler(request)
    if (isOn && response.ok && request.method === 'GET') cachedResponses.set(request.url, response.clone())
    return response
  }
}

/** Fails like Node's `fetch`, whose error has the cause as its `cause`. */
const createFailingHandler =
  (message: string, code?: string): Handler =>
  () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) }))

/** For each cause: a server that has it, a similar server that does not, and the text of the report. */
const serversByCause: Readonly<Record<string, readonly [shows: Server, nearly: Server, says?: RegExp]>> = {
  'no-response': [
    createFailingHandler('connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED'),
    editResponse(isGet, createErrorResponse(500)),
    /^No response from http:\/\/pets\.test\/v1: .*ECONNREFUSED.*start the deployment/,
  ],
  redirect: [
    redirects(({ pathname, search }) => `https://www.pets.test${pathname}${search}`),
    editResponse(isGet, { status: 302, headers: { location: '/login' }, body: '' }),
    /the first one to https:\/\/www\.pets\.test\/v1\/pets: use https:\/\/www\.pets\.test\/v1 as the base URL$/,
  ],
  gateway: [
    editEveryResponse(createHtmlPage(502, 'Bad Gateway')),
    editResponse(isGet, createHtmlPage(502, 'Bad Gateway')),
  ],
  html: [
    editEveryResponse(createHtmlPage(200, 'Adopt a pet')),
    editErrors(({ status }) => createHtmlPage(status, 'Sorry')),
  ],
  'nothing-there': [
    editEveryResponse({ status: 404, headers: {}, body: '404 page not found' }),
    editResponse(isGet, createErrorResponse(404)),
  ],
  'key-rejected': [
    editEveryResponse(createErrorResponse(401, 'invalid_api_key', 'This key was never issued.')),
    editResponse(hasQuery('limit', '2'), createErrorResponse(401)),
  ],
  'same-response': [
    editEveryResponse(createJsonResponse(200, { ok: true })),
    editResponse(negateCondition(isList), createJsonResponse(200, { ok: true })),
  ],
  'gateway-limit': [
    respondFrom(20, createHtmlPage(429, 'Slow down')),
    respondFrom(20, {
      ...createJsonResponse(429, { code: 'e', message: 'No.', status: 429 }),
      headers: limitHeaders,
    }),
    /\S+ \/pets\S* \(\S+\) \(429, Server: edge\): slow down with --pace/,
  ],
  banned: [
    respondFrom(20, createHtmlPage(403, 'Blocked')),
    placeBehindGateway((request) => (isGetPet(request) ? createHtmlPage(403, 'Blocked') : undefined)),
    /from a certain one on: \S+ \S+ \(\S+\) \(403, Server: edge\)/,
  ],
  'body-limit': [
    toLongBodies(createHtmlPage(413, 'Request Entity Too Large')),
    toLongBodies({
      ...createJsonResponse(400, { code: 'e', message: 'No.', status: 400 }),
      headers: limitHeaders,
    }),
    /A body of \d+ characters is too large: POST \/pets \(\S+\) \(413, Server: edge\)/,
  ],
  'front-end': [
    placeBehindGateway((request) => (isGetPet(request) ? createHtmlPage(403, 'Forbidden') : undefined)),
    editResponse(isGet, createErrorResponse(403)),
    /sent \d+ of \d+ responses, beginning with GET \/pets\/\d+ \(\S+\) \(403, Server: edge\)/,
  ],
  cache: [
    createCachingServer(true),
    createCachingServer(false),
    /GET \/pets\S* \(\S+\) has the same rate-limit headers and body as GET \/pets\S* \(/,
  ],
  wrapped: [
    editOn([200, 201], everyRequest, wrapInObject),
    editOn(
      200,
      isList,
      editJson((data) => ({ data, included: [] })),
    ),
  ],
  'error-shape': [
    editErrors((response) => replaceResponse(response, createJsonResponse(response.status, { error: 'no' }))),
    editErrors(editItems({ code: 'no', message: 'No.', more: true })),
  ],
  'content-type': [setContentType('text/plain'), setContentType('application/json; charset=utf-8')],
  'renamed-limit-headers': [
    editResponse(everyRequest, (response) => setHeaders(noLimits)(renameLimitHeaders(response))),
    editResponse(everyRequest, renameLimitHeaders),
  ],
  'no-limit-headers': [
    editOn([401, 404], everyRequest, setHeaders(noLimits)),
    editOn(401, everyRequest, setHeaders({ 'x-ratelimit-reset': undefined })),
  ],
  'reset-in-seconds-to-go': [
    setReset((seconds, now) => seconds - now),
    setReset((_, now) => now - 400),
    /^X-RateLimit-Reset: 55 looks like remaining seconds; .* requires a Unix time/,
  ],
  'no-authentication': [
    editRequest(isAnonymous, { authorization: `Bearer ${mainKey}` }),
    editResponse(isAnonymous, createErrorResponse(403)),
  ],
  'validation-status': [rejectInvalidBodies(422), rejectInvalidBodies(422, ({ body }) => body === '{}')],
  'rounded-integers': [
    editCreations((pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
    editCreations((pet) => (pet.categoryId === 9007199254740993n ? { ...pet, categoryId: 7n } : pet)),
  ],
}

function judgeServer(server: Server): Promise<Report> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const handler = typeof server === 'function' ? server : createDeployment(clock, server)
  return runConformance({
    baseUrl: 'http://pets.test/v1',
    apiKey: mainKey,
    profile: 'create',
    clock,
    fetch: handler,
  })
}

const listCauses = ({ causes }: Report): readonly string[] => causes.map(({ id }) => id)

/** Asserts that each rule has at most one cause, and that every ID exists. */
function assertSound({ causes, rules, exchanges }: Report): void {
  const explainedIds = causes.flatMap((cause) => cause.rules)
  assert.equal(new Set(explainedIds).size, explainedIds.length, 'each rule has at most one cause')
  for (const id of explainedIds) {
    const verdict = rules.find((rule) => rule.id === id)?.verdict ?? 'pass'
    assert.ok(verdict !== 'pass' && verdict !== 'not-applicable', `${id} is ${verdict}`)
  }
  const sentIds = new Set(exchanges.map(({ id }) => id))
  for (const cause of causes) {
    assert.ok(cause.rules.length > 0 && cause.exchanges.length > 0, cause.id)
    assert.ok(cause.exchanges.every((id) => sentIds.has(id)))
    assert.doesNotMatch(`${cause.title} ${cause.advice}`, /undefined|\[object/)
  }
}

function listUnexplainedRules({ causes, rules }: Report): readonly string[] {
  const explainedIds = new Set(causes.flatMap((cause) => cause.rules))
  return rules.filter(({ id, verdict }) => verdict === 'fail' && !explainedIds.has(id)).map(({ id }) => id)
}

describe('findCauses', () => {
  test('has a test for every kind of fault', () => {
    assert.deepEqual(
      // Other tests cover this kind, which needs a body that cannot be read.
      faultKinds.flatMap(({ id }) => (id === 'unread-body' ? [] : [id])).toSorted(),
      Object.keys(serversByCause).toSorted(),
    )
  })

  for (const [cause, [shows, nearly, says = /./]] of Object.entries(serversByCause)) {
    test(`finds the cause ${cause} only if the server has this fault`, async () => {
      const report = await judgeServer(shows)
      assertSound(report)
      const [first] = report.causes
      assert.equal(first?.id, cause, JSON.stringify(report.causes))
      assert.match(`${first?.title}: ${first?.advice}`, says)
      const otherReport = await judgeServer(nearly)
      assertSound(otherReport)
      assert.ok(!listCauses(otherReport).includes(cause))
    })
  }

  test('finds no cause if the deployment conforms', async () => {
    assert.deepEqual(listCauses(await judgeServer({})), [])
  })

  for (const { does, handler } of degenerateServers) {
    test(`explains every failure of a server that ${does}`, async () => {
      const report = await judgeServer(handler)
      assertSound(report)
      assert.deepEqual(listUnexplainedRules(report), [])
    })
  }

  for (const [form, values, says] of [
    [
      'one header with another name',
      (response: ApiResponse) =>
        setHeaders({
          'x-ratelimit-reset': undefined,
          'x-ratelimit-requests-reset': response.headers['x-ratelimit-reset'],
        })(response),
      /^X-RateLimit-Reset has a different name or format, such as x-ratelimit-requests-reset: \d+$/,
    ],
    [
      'RateLimit (draft 7)',
      setHeaders({ ...noLimits, ratelimit: 'limit=60, remaining=59, reset=55' }),
      /such as ratelimit: limit=60, remaining=59, reset=55$/,
    ],
    [
      'RateLimit (draft 8)',
      setHeaders({ ...noLimits, ratelimit: '"minute";r=59;t=55', 'ratelimit-policy': '"minute";q=60;w=60' }),
      /such as ratelimit: "minute";r=59;t=55$/,
    ],
  ] as const)
    test(`finds renamed limit headers: ${form}`, async () => {
      const report = await judgeServer(editResponse(everyRequest, values))
      assertSound(report)
      const cause = report.causes.find(({ id }) => id === 'renamed-limit-headers')
      assert.match(cause?.title ?? JSON.stringify(report.causes), says)
      assert.ok(!listCauses(report).includes('no-limit-headers'))
    })

  for (const [what, server, reason] of [
    [
      'redirects',
      redirects(({ href }) => href.replace('http:', 'https:')),
      /redirect to https:\/\/pets\.test\/v1\/pets/,
    ],
    [
      'says that the port expects TLS',
      editEveryResponse(createHtmlPage(400, '400 The plain HTTP request was sent to HTTPS port')),
      /requires TLS/,
    ],
    [
      'asks for a client certificate',
      editEveryResponse(createHtmlPage(400, '400 No required SSL certificate was sent')),
      /--client-cert and --client-key/,
    ],
  ] as const)
    test(`ends the run after three requests if the server ${what}`, async () => {
      const { exchanges, endedEarly } = await judgeServer(server)
      assert.equal(exchanges.length, 3)
      assert.match(endedEarly ?? '', reason)
    })

  test('does not end the run if only one response redirects', async () => {
    let requests = 0
    const report = await judgeServer(
      editResponse(() => ++requests === 2, { status: 302, headers: { location: '/login' }, body: '' }),
    )
    assert.equal(report.endedEarly, undefined)
  })

  for (const [error, code, says] of [
    [
      'tlsv1 alert no application protocol',
      'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
      /only supports HTTP\/2/,
    ],
    ['wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER', /may need http:/],
    [
      'the proxy http://proxy.test:3128 failed: connect ECONNREFUSED 10.0.0.1:3128',
      'ECONNREFUSED',
      /^start the proxy/,
    ],
  ] as const)
    test(`gives advice for the error ${code} (${says.source})`, async () => {
      const [cause] = (await judgeServer(createFailingHandler(error, code))).causes
      assert.match(cause?.advice ?? '', says)
    })

  /** Rate limits of well-known gateways. */
  const ownLimits: Readonly<Record<string, ApiResponse>> = {
    Kong: {
      ...createJsonResponse(429, { message: 'API rate limit exceeded' }),
      headers: { server: 'kong/3.4.2', 'ratelimit-limit': '5', 'x-ratelimit-remaining-minute': '0' },
    },
    'AWS API Gateway': createJsonResponse(429, { message: 'Too Many Requests' }),
    'Azure API Management': createJsonResponse(429, {
      statusCode: 429n,
      message: 'Rate limit is exceeded.',
    }),
    Tyk: createJsonResponse(429, { error: 'Rate limit exceeded' }),
    Apigee: createJsonResponse(429, { fault: { faultstring: 'Rate limit quota violation.', detail: {} } }),
    'Spring Cloud Gateway': {
      status: 429,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-burst-capacity': '20' },
      body: '',
    },
    'nginx limit_req': {
      ...createHtmlPage(503, '503 Service Temporarily Unavailable'),
      headers: { 'content-type': 'text/html', server: 'nginx' },
    },
  }
  for (const [product, response] of Object.entries(ownLimits))
    test(`recognizes the rate limit of ${product}`, async () => {
      const report = await judgeServer(
        placeBehindGateway((_, n) => (n > 9 && n % 3 === 0 ? response : undefined)),
      )
      assertSound(report)
      const [cause] = report.causes
      assert.equal(cause?.id, 'gateway-limit')
      assert.match(cause?.advice ?? '', /--pace/)
      assert.ok(!listCauses(report).includes('no-limit-headers'))
    })

  test('finds a cache that updates the Date', async () => {
    const report = await judgeServer(
      createCachingServer(true, { date: 'Fri, 20 Nov 2026 12:34:56 GMT', age: '7' }),
    )
    assert.equal(report.causes[0]?.id, 'cache')
  })

  test('finds two faults in the same responses', async () => {
    const report = await judgeServer(
      editOn([200, 201], everyRequest, (response) =>
        setHeaders({ 'content-type': 'text/plain' })(wrapInObject(response)),
      ),
    )
    assertSound(report)
    assert.deepEqual(listCauses(report), ['wrapped', 'content-type'])
    assert.deepEqual(listUnexplainedRules(report), [])
  })
})
