import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createFetchHandler } from '../adapters/fetch.ts'
import { createNodeHandler, hardenServer, serverOptions } from '../adapters/node-http.ts'
import { listen, shut } from '../adapters/testing/listen.ts'
import { type PetService, sha256 } from '../core/index.ts'
import { openapi } from '../core/openapi.ts'
import { type Clock, exitCode, type Profile, type RunOptions, runConformance } from './index.ts'
import { serviceWithAnimals } from './testing/service.ts'

const key = 'key-of-the-tests'
const throttleKey = 'key-to-burn'

/** The real time, but waits are over at once. */
function leapingClock(): Clock {
  let leapt = 0
  return {
    now: () => Date.now() + leapt,
    sleep: async (ms) => {
      leapt += ms
    },
  }
}

const keys = [
  { id: 'tests', sha256: sha256(key), plan: 'free' },
  { id: 'burnt', sha256: sha256(throttleKey), plan: 'enterprise', limits: { minute: 12, day: 1000 } },
] as const

type Mounted = Pick<RunOptions, 'baseUrl' | 'fetch'> & { readonly close: () => Promise<void> }

const mounts: Readonly<Record<string, (service: PetService) => Promise<Mounted>>> = {
  'the Fetch mount in this process': async (service) => ({
    baseUrl: 'http://pets.test/v1',
    fetch: createFetchHandler(service),
    close: async () => {},
  }),
  'the node:http mount on a socket': async (service) => {
    const server = createServer(serverOptions, createNodeHandler(service))
    hardenServer(server, service)
    return { baseUrl: `http://127.0.0.1:${await listen(server)}/v1`, close: () => shut(server) }
  },
}

const profiles: readonly Profile[] = ['read', 'create', 'exhaust', 'all']

for (const [name, mount] of Object.entries(mounts)) {
  for (const profile of profiles) {
    test(`${name} conforms to every rule of the profile ${profile}`, async () => {
      const clock = leapingClock()
      const { close, ...mounted } = await mount(await serviceWithAnimals(keys, clock.now))
      try {
        const report = await runConformance({ ...mounted, key, throttleKey, profile, plan: 'free', clock })
        const objections = report.rules.filter(({ verdict }) => /^(fail|warn|inconclusive)$/.test(verdict))
        // a handler in this process has no connections
        const unknown =
          mounted.fetch === undefined || profile === 'read' || profile === 'exhaust' ? [] : ['AUTH-17']
        assert.deepEqual(
          objections.map(({ id }) => id),
          unknown,
        )
        assert.equal(exitCode(report), 0)
      } finally {
        await close()
      }
    })
  }
}

/** Returns what is wrong with the status or the body of a response, by the description. It describes operations only. */
async function mismatchOf(
  ajv: Ajv2020,
  { method, url }: Request,
  response: Response,
): Promise<string | undefined> {
  const path = new URL(url).pathname.replace('/v1', '').replace(/^\/pets\/[^/]+$/, '/pets/{petId}')
  const pointerOf = (...names: readonly unknown[]) =>
    `openapi#/${names.map((name) => encodeURIComponent(String(name).replaceAll('/', '~1'))).join('/')}`
  const responses = ['paths', path, method.toLowerCase(), 'responses']
  if (!ajv.getSchema(pointerOf(...responses))) return undefined
  const schema = pointerOf(...responses, response.status, 'content', 'application/json', 'schema')
  if (!ajv.getSchema(schema)) return `${method} ${url}: ${response.status} is not described`
  return ajv.validate(schema, await response.json()) ? undefined : `${method} ${url}: ${ajv.errorsText()}`
}

test('each response of an operation has a status and a body that the description has', async () => {
  const ajv = new Ajv2020({ strict: false, formats: { int64: true } }).addSchema(openapi(), 'openapi')
  const handle = createFetchHandler(await serviceWithAnimals(keys, Date.now))
  const mismatches: (string | undefined)[] = []
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const response = await handle(request.clone())
    mismatches.push(await mismatchOf(ajv, request, response.clone()))
    return response
  }
  await runConformance({ baseUrl: 'http://pets.test/v1', key, profile: 'create', fetch })
  assert.ok(mismatches.length > 40, 'the suite has ended early')
  assert.deepEqual(mismatches.filter(Boolean), [])
})
