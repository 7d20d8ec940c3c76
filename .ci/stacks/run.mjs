// Starts the built server, and implementations of the interface on other stacks, correct and with the typical mistakes
// of their stack, runs the built conformance suite against each, and compares its verdicts with verdicts checked by
// hand. Exits with 1 if one differs.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, run } from '../command.mjs'
import { install } from '../install.mjs'
import { newKey, runSuite } from '../server.mjs'
import { addAnimals, startServing } from '../serving.mjs'
import { stacks } from './stacks.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const only = process.argv.slice(2)

/** The verdicts that are compared: every other rule passes, or is not for the profile. */
const verdicts = ['fail', 'warn', 'inconclusive']

await check('the judgement of other stacks', async (folder) => {
  await install(new URL('.', import.meta.url))
  const queue = stacks.map((stack) =>
    Object.entries(stack.flaws)
      .map(([flaw, expected]) => ({ stack, flaw, expected }))
      .filter(
        ({ flaw }) =>
          only.length === 0 || only.includes(stack.name) || only.includes(`${stack.name}:${flaw}`),
      ),
  )
  const all = queue.flat().length
  let differences = 0
  const work = async () => {
    for (let deployments = queue.shift(); deployments; deployments = queue.shift())
      for (const deployment of deployments) if (!(await isJudgedAsExpected(deployment, folder))) differences++
  }
  // Two stacks at a time, since a run waits for the end of a window; the deployments of one may share its build.
  await Promise.all([work(), work()])
  if (differences > 0)
    throw new Error(`${differences} of ${all} deployments are judged otherwise than expected`)
  console.log(`${all} deployments are judged as expected`)
})

async function isJudgedAsExpected({ stack, flaw, expected }, folder) {
  const began = performance.now()
  const { exitCode, rules } = await judge(stack, flaw, expected, folder)
  const differing = verdicts.flatMap((verdict) => {
    const [wanted, found] = [
      expected[verdict] ?? [],
      rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id),
    ]
    return String(wanted) === String(found) ? [] : `  ${verdict}: expected ${wanted}, found ${found}`
  })
  const expectedCode = expected.exitCode ?? (expected.fail ? 1 : 0)
  if (exitCode !== expectedCode) differing.push(`  exit code: expected ${expectedCode}, found ${exitCode}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${differing.length === 0 ? 'as expected' : 'DIFFERS'}  ${stack.name}:${flaw}  ${seconds} s`)
  if (differing.length > 0) {
    console.log(differing.join('\n'))
    for (const { id, verdict, reason } of rules)
      if (verdicts.includes(verdict)) console.log(`  ${id} ${verdict}: ${reason}`)
  }
  return differing.length === 0
}

/** Starts a deployment on a free port, runs the suite against it, and stops it. Returns the report. */
async function judge(stack, flaw, { profile = 'create', plan }, folder) {
  const [key, throttleKey] = [newKey(), newKey()]
  const env = {
    API_KEY: key,
    THROTTLE_KEY: throttleKey,
    FLAW: flaw === 'none' ? '' : flaw,
    DATA: join(folder, `${stack.name}-${flaw}`),
  }
  const { origin, end } = await startServing(await stack.command({ here, folder, run, key, throttleKey }), {
    cwd: here,
    env,
  })
  try {
    const base = `${origin}/v1`
    await addAnimals(base, key) // what a deployment with a flaw responds does not matter
    const flags = ['--profile', profile, '--format', 'json', ...(plan ? ['--plan', plan] : [])]
    const { exitCode, printed } = await runSuite(base, { key, throttleKey }, ...flags)
    return { ...JSON.parse(printed), exitCode }
  } finally {
    await end('SIGKILL')
  }
}
