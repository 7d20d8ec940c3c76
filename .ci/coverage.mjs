// Runs the tests; with CI=true, with coverage too, which takes a quarter more time, and whose bounds are those of .c8rc.json.
// What this machine cannot run does not count: the stores of a database that it lacks.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exclude } = JSON.parse(readFileSync(join(root, '.c8rc.json'), 'utf8'))
const { PET_ADOPTION_TEST_DATABASE_URL: postgres, PET_ADOPTION_TEST_REDIS_URL: redis } = process.env

/** Whether something listens at a URL. */
function listens(url) {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: 2_000 })
    const end = (result) => () => {
      socket.destroy()
      resolve(result)
    }
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false))
  })
}

/** The command line that runs a program of Node with coverage. */
async function covered(...program) {
  /** The parts that need something, by the patterns of their files. */
  const parts = [
    ['SQLite', 'adapters/**/*sqlite*{,/**}', process.versions.sqlite !== undefined],
    ['PostgreSQL', 'adapters/**/*postgres*{,/**}', await listens(postgres || 'http://127.0.0.1:5432')],
    [
      'Redis',
      'adapters/{redis,standalone/limiter}{,/**,.ts}',
      await listens(redis || 'http://127.0.0.1:6379'),
    ],
  ]
  const absent = parts.filter(([, , isThere]) => !isThere)
  for (const [name] of absent)
    console.log(`${name} is not here: the coverage of what needs it is not counted`)
  const c8 = join(createRequire(import.meta.url).resolve('c8/package.json'), '../bin/c8.js')
  const patterns = [...exclude, ...absent.map(([, pattern]) => pattern)].flatMap((each) => [
    '--exclude',
    each,
  ])
  return [c8, ...patterns, process.execPath, ...program]
}

const tests = [join(root, '.ci/test.mjs'), ...process.argv.slice(2)]
const commandLine = process.env.CI === 'true' ? await covered(...tests) : tests
process.exitCode = spawnSync(process.execPath, commandLine, { cwd: root, stdio: 'inherit' }).status ?? 1
