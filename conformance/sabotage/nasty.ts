import process from 'node:process'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { judge, readTranscript, type Transcript, writeTranscript } from '../index.ts'
import { createFetchTransport } from '../network/fetch-transport.ts'
import { createRedactor } from '../redact/redactor.ts'
import { formats } from '../report/formats.ts'
import { readOptions } from '../run/options.ts'
import { secretsOf } from '../run/secrets.ts'
import { createSender } from '../run/send.ts'
import { recorded } from '../testing/recorded.ts'
import { createDraw, nastyBodies } from './nasty-bodies.ts'
import { processorTime } from './processor-time.ts'
import { slowdown } from './yardstick.ts'

const key = 'nasty-Key_0123456789/abcdefghij'
/** The exchanges that return a nasty body in turn, and the status that they return it with. */
const positions = [
  ['list-100', 200],
  ['list', 200],
  ['list-sold-100', 200],
  ['get-listed', 200],
  ['create-sold', 201],
  ['no-key-list', 401],
  ['limit-word', 400],
  ['burn-4', 429],
] as const

setFlagsFromString('--expose-gc')
/** Collects garbage, so that the memory of one body is not counted for the next. */
const collectGarbage: () => void = runInNewContext('gc')

interface Cost {
  readonly name: string
  readonly ms: number
  readonly mb: number
}

/** The cost of a body, and how many times slower than the reference the machine was at that moment, at least 1. */
interface Measured extends Cost {
  readonly factor: number
}

/**
 * Measures what the suite does with a body: a run reads it, judges and makes the most expensive report; `judge` reads it
 * in a saved transcript, judges and makes that report. The slower of the two counts.
 */
async function costOf(name: string, body: BodyInit, n: number): Promise<Cost> {
  const [id, status] = positions[n % positions.length] ?? positions[0]
  const header = { 'content-type': 'application/json', 'x-ratelimit-remaining': '0' }
  const redact = createRedactor(secretsOf({ key, unknownKey: 'unknown-0123456789abcdef' }))
  const fetch = (): Response => new Response(body, { status, headers: header })
  const settings = readOptions({ baseUrl: 'http://nasty.test/v1', key, fetch })
  const send = createSender(settings, createFetchTransport(fetch), redact)
  collectGarbage()
  const before = memory()
  let peak = before
  const start = process.cpuUsage()
  const step = <Made>(made: Made): Made => {
    peak = Math.max(peak, memory())
    return made
  }
  const request = {
    method: 'GET',
    target: '/pets',
    headers: [],
    body: undefined,
    connection: 'shared',
  } as const
  const { outcome } = step(await send(request))
  const transcript: Transcript = recorded(
    'all',
    outcome.kind === 'response' ? { [id]: outcome.response } : {},
  )
  const report = step(judge(transcript))
  const run = processorTime(start)
  const saved = step(writeTranscript(transcript))
  const again = timed(() => step(judge(readTranscript(saved))))
  const reports = Object.values(formats).map((format) =>
    timed(() => step(format(report, { color: true, columns: 80 }))),
  )
  return {
    name: `${name}, as the response to ${id}`,
    ms: Math.max(run, again) + Math.max(...reports),
    mb: (peak - before) / 2 ** 20,
  }
}

/** Returns the milliseconds of processor time that a step takes. */
function timed(step: () => unknown): number {
  const start = process.cpuUsage()
  step()
  return processorTime(start)
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '1000' },
    // on the reference machine; on a slower one, this times its factor
    ms: { type: 'string', default: '200' },
    mb: { type: 'string', default: '200' },
  },
})

/** The value of a flag that is a whole number. */
function count(flag: keyof typeof values): number {
  const value = Number(values[flag])
  if (!Number.isSafeInteger(value) || value < 1)
    throw new TypeError(`--${flag} must be a whole number of at least 1`)
  return value
}

/** Measures a body, and behind a body that takes more than `ms` the machine. The faster of two runs of the yardstick counts. */
async function measured(ms: number, ...body: Parameters<typeof costOf>): Promise<Measured> {
  const cost = await costOf(...body)
  if (cost.ms <= ms) return { ...cost, factor: 1 }
  collectGarbage()
  return { ...cost, factor: Math.max(1, Math.min(slowdown(), slowdown())) }
}

/** Milliseconds on the reference machine. */
function referenceMs({ ms, factor }: Measured): number {
  return ms / factor
}

/**
 * Measures `--bodies` bodies, of every kind and in every position in turn, and prints the most expensive ones. Exits
 * with 1 if one of them takes more than `--ms` milliseconds of processor time of the reference machine, or `--mb` MiB of
 * memory.
 */
async function main(): Promise<void> {
  const bodies = count('bodies')
  const max = { ms: count('ms'), mb: count('mb') }
  const kinds = Object.entries(nastyBodies)
  // the first runs are slow because nothing is compiled yet
  for (let n = 0; n < 3; n++) await costOf('warm-up', '[]', n)
  slowdown()
  const costs: Measured[] = []
  for (let n = 0; n < bodies; n++) {
    const [name, make] = kinds[n % kinds.length] ?? []
    if (name === undefined || make === undefined) continue
    const body = make(createDraw(n), key)
    let least = await measured(max.ms, name, body, n)
    // the compiler and the garbage collector run at random times: only the fastest of three attempts counts
    for (let again = 0; again < 2 && referenceMs(least) > max.ms; again++) {
      const next = await measured(max.ms, name, body, n)
      if (referenceMs(next) < referenceMs(least)) least = next
    }
    costs.push(least)
  }
  const slowest = costs.toSorted((a, b) => referenceMs(b) - referenceMs(a)).slice(0, 5)
  const largest = costs.toSorted((a, b) => b.mb - a.mb).slice(0, 5)
  for (const { name, ms, mb, factor } of [...slowest, ...largest]) {
    const slower = factor > 1 ? `, on a machine that was ${factor.toFixed(2)} times slower` : ''
    process.stdout.write(
      `${ms.toFixed(0).padStart(6)} ms ${mb.toFixed(0).padStart(5)} MB  ${name}${slower}\n`,
    )
  }
  const over = costs.filter((cost) => referenceMs(cost) > max.ms || cost.mb > max.mb)
  process.stdout.write(
    `${over.length} of ${costs.length} bodies cost more than ${max.ms} ms of the reference machine, or ${max.mb} MB\n`,
  )
  process.exitCode = over.length > 0 ? 1 : 0
}

await main()
