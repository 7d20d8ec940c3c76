// What the suite spends on bodies that a hostile deployment returns must grow with their size, and not with its square.
// Exits with 1 where twice the size takes much more than twice the processor time, or a body of 1 MiB much memory.
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { judge, readTranscript, type Transcript, writeTranscript } from '../conformance/index.ts'
import { createFetchTransport } from '../conformance/network/fetch-transport.ts'
import { createRedactor } from '../conformance/redact/redactor.ts'
import { formats } from '../conformance/report/formats.ts'
import { readOptions } from '../conformance/run/options.ts'
import { secretsOf } from '../conformance/run/secrets.ts'
import { createSender } from '../conformance/run/send.ts'
import { createDraw, nastyBodies } from '../conformance/testing/nasty-bodies.ts'
import { recorded } from '../conformance/testing/recorded.ts'

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

/** The sizes whose costs are compared, in bytes. The larger one is the most that the suite reads. */
const sizes = [512 * 1024, 1024 * 1024] as const
/** What doubles takes twice as long; its square four times. */
const mostGrowth = 3
/** Below so many milliseconds, the compiler and the garbage collector decide. */
const leastMs = 40
const mostMemory = 200

setFlagsFromString('--expose-gc')
/** Collects garbage, so that the memory of one body is not counted for the next. */
const collectGarbage: () => void = runInNewContext('gc')

interface Cost {
  /** Processor time in milliseconds. */
  readonly ms: number
  /** Memory in MiB. */
  readonly mb: number
}

/** Measures what the suite does with a body: a run reads and judges it, `judge` reads it again, and every format reports it. */
async function costOf(body: BodyInit, position: number): Promise<Cost> {
  const [id, status] = positions[position % positions.length] ?? positions[0]
  const headers = { 'content-type': 'application/json', 'x-ratelimit-remaining': '0' }
  const redact = createRedactor(secretsOf({ key, unknownKey: 'unknown-0123456789abcdef' }))
  const fetch = (): Response => new Response(body, { status, headers })
  const settings = readOptions({ baseUrl: 'http://nasty.test/v1', key, fetch })
  const send = createSender(settings, createFetchTransport(fetch), redact)
  collectGarbage()
  const before = memory()
  let peak = before
  const step = <Made>(made: Made): Made => {
    peak = Math.max(peak, memory())
    return made
  }
  const start = process.cpuUsage()
  const request = {
    method: 'GET',
    target: '/pets',
    headers: [],
    body: undefined,
    isFresh: false,
  } as const
  const { outcome } = step(await send(request))
  const returned: Parameters<typeof recorded>[1] =
    outcome.kind === 'response' ? { [id]: outcome.response } : {}
  const transcript: Transcript = recorded('all', returned)
  const report = step(judge(transcript))
  const saved = step(writeTranscript(transcript))
  step(judge(readTranscript(saved)))
  for (const format of Object.values(formats)) step(format(report, { color: true, columns: 80 }))
  const { user, system } = process.cpuUsage(start)
  return { ms: (user + system) / 1_000, mb: (peak - before) / 2 ** 20 }
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Returns what is wrong with a kind of bodies. Other programs and the compiler only add: the least of a few attempts counts. */
async function problemOf(name: string, position: number): Promise<readonly string[]> {
  const least = sizes.map((): Cost => ({ ms: Number.POSITIVE_INFINITY, mb: Number.POSITIVE_INFINITY }))
  let figures = ''
  for (let attempt = 0; attempt < 5; attempt++) {
    for (const [i, size] of sizes.entries()) {
      const { ms, mb } = await costOf(nastyBodies(size)[name]?.(createDraw(position), key) ?? '', position)
      least[i] = { ms: Math.min(least[i]?.ms ?? ms, ms), mb: Math.min(least[i]?.mb ?? mb, mb) }
    }
    const [once, twice] = least as [Cost, Cost] // one for each size
    figures = `${name}: ${once.ms.toFixed(0)} and ${twice.ms.toFixed(0)} ms, ${twice.mb.toFixed(0)} MiB`
    const isFine = (twice.ms < leastMs || twice.ms <= mostGrowth * once.ms) && twice.mb <= mostMemory
    if (isFine && attempt > 0) return []
  }
  return [figures]
}

const names = Object.keys(nastyBodies())
for (let position = 0; position < 3; position++) await costOf('[]', position) // compiles
const problems: string[] = []
for (const [position, name] of names.entries()) problems.push(...(await problemOf(name, position)))
const bound = `cost more than ${mostGrowth} times as much at twice the size, or ${mostMemory} MiB`
process.stdout.write(
  `${[...problems, `${problems.length} of ${names.length} kinds of bodies ${bound}`].join('\n')}\n`,
)
process.exitCode = problems.length > 0 ? 1 : 0
