// Checks that judging and printing a report takes time proportional to a hostile body's size. Exits with 1 if twice the
// size costs more than 3 times as much.
import process from 'node:process'
import { judge, readReport, record } from '../conformance/index.ts'
import { formats } from '../conformance/report/formats.ts'
import { createDraw, createHostileBodies } from '../conformance/testing/hostile-bodies.ts'

const key = 'hostile-Key_0123456789/abcdefghij'
/** The responses that are replaced, one after the other. */
const positions = [
  ['GET', /\/pets\?limit=100$/, 200],
  ['GET', /\/pets\/\d+$/, 200],
  ['POST', /\/pets$/, 201],
  ['GET', /\/pets\?limit=0$/, 400],
] as const

/** Bytes. The suite reads no more than the larger size. */
const sizes = [512 * 1024, 1024 * 1024] as const
/** A linear cost doubles, a quadratic one quadruples. */
const maxGrowth = 3
/** Shorter times depend on the compiler and the garbage collector. */
const minMs = 40

/** Measures the CPU milliseconds of recording, judging and printing a run where one response has the body. */
async function measureCost(body: BodyInit, position: number): Promise<number> {
  const [method, target, status] = positions[position % positions.length] ?? positions[0]
  const headers = { 'content-type': 'application/json' }
  let left = 1
  const fetch = async (request: Request): Promise<Response> =>
    request.method === method && target.test(request.url) && left-- > 0
      ? new Response(body, { status, headers })
      : new Response(request.method === 'GET' ? '[{"id":1,"name":"Ada","categoryId":1}]' : '{}', { headers })
  const start = process.cpuUsage()
  const transcript = await record({
    baseUrl: 'http://hostile.test/v1',
    apiKey: key,
    profile: 'create',
    fetch,
  })
  if (left > 0) throw new Error(`the suite sent no ${method} ${target}`)
  const report = judge(readReport(JSON.stringify(judge(transcript))))
  for (const format of Object.values(formats)) format(report, { color: true, columns: 80 })
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/** Compares the minimum of up to 5 attempts: other programs only add time. */
async function findProblems(name: string, position: number): Promise<readonly string[]> {
  let [once, twice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const cost = (size: number) =>
    measureCost(createHostileBodies(size)[name]?.(createDraw(position), key) ?? '', position)
  for (let attempt = 0; attempt < 5; attempt++) {
    once = Math.min(once, await cost(sizes[0]))
    twice = Math.min(twice, await cost(sizes[1]))
    if (attempt > 0 && (twice < minMs || twice <= maxGrowth * once)) return []
  }
  return [`${name}: ${once.toFixed(0)} and ${twice.toFixed(0)} ms`]
}

const names = Object.keys(createHostileBodies())
for (let position = 0; position < positions.length; position++) await measureCost('[]', position) // warms up
const problems: string[] = []
for (const [position, name] of names.entries()) problems.push(...(await findProblems(name, position)))
const bound = `cost more than ${maxGrowth} times as much at twice the size`
process.stdout.write(
  `${[...problems, `${problems.length} of ${names.length} kinds of bodies ${bound}`].join('\n')}\n`,
)
process.exitCode = problems.length > 0 ? 1 : 0
