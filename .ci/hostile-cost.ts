// The time that the suite spends on bodies of a hostile deployment must grow with their size, and not with its square.
// Exits with 1 if twice the size takes much more than twice the processor time.
import process from 'node:process'
import { judge, readTranscript, record, writeTranscript } from '../conformance/index.ts'
import { formats } from '../conformance/report/formats.ts'
import { createDraw, hostileBodies } from '../conformance/testing/hostile-bodies.ts'

const key = 'hostile-Key_0123456789/abcdefghij'
/**
 * The request whose response gets the hostile body, and its status, in turn: a list, an animal, a creation and an
 * error.
 */
const positions = [
  ['GET', /\/pets\?limit=100$/, 200],
  ['GET', /\/pets\/\d+$/, 200],
  ['POST', /\/pets$/, 201],
  ['GET', /\/pets\?limit=0$/, 400],
] as const

/** The sizes whose costs are compared, in bytes. The larger one is the most that the suite reads. */
const sizes = [512 * 1024, 1024 * 1024] as const
/** Maximum growth: a cost in proportion to the size doubles, its square quadruples. */
const mostGrowth = 3
/**
 * Minimum duration that means something, in milliseconds: the compiler and the garbage collector cause shorter ones.
 */
const leastMs = 40

/** Returns the milliseconds of a run with a body, of judging its transcript again from a file, and of every format. */
async function measureCost(body: BodyInit, position: number): Promise<number> {
  const [method, target, status] = positions[position % positions.length] ?? positions[0]
  const headers = { 'content-type': 'application/json' }
  let left = 1
  const fetch = async (request: Request): Promise<Response> =>
    request.method === method && target.test(request.url) && left-- > 0
      ? new Response(body, { status, headers })
      : new Response(request.method === 'GET' ? '[{"id":1,"name":"Ada","categoryId":1}]' : '{}', { headers })
  const start = process.cpuUsage()
  const transcript = await record({ baseUrl: 'http://hostile.test/v1', key, profile: 'create', fetch })
  if (left > 0) throw new Error(`the suite sends no ${method} ${target}`)
  const report = judge(readTranscript(writeTranscript(transcript)))
  for (const format of Object.values(formats)) format(report, { color: true, columns: 80 })
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/**
 * Returns the problems of one kind of bodies. Other programs only add time, so the minimum of a few attempts counts.
 */
async function findProblems(name: string, position: number): Promise<readonly string[]> {
  let [once, twice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const cost = (size: number) =>
    measureCost(hostileBodies(size)[name]?.(createDraw(position), key) ?? '', position)
  for (let attempt = 0; attempt < 5; attempt++) {
    once = Math.min(once, await cost(sizes[0]))
    twice = Math.min(twice, await cost(sizes[1]))
    if (attempt > 0 && (twice < leastMs || twice <= mostGrowth * once)) return []
  }
  return [`${name}: ${once.toFixed(0)} and ${twice.toFixed(0)} ms`]
}

const names = Object.keys(hostileBodies())
for (let position = 0; position < positions.length; position++) await measureCost('[]', position) // compiles
const problems: string[] = []
for (const [position, name] of names.entries()) problems.push(...(await findProblems(name, position)))
const bound = `cost more than ${mostGrowth} times as much at twice the size`
process.stdout.write(
  `${[...problems, `${problems.length} of ${names.length} kinds of bodies ${bound}`].join('\n')}\n`,
)
process.exitCode = problems.length > 0 ? 1 : 0
