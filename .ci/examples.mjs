// Runs the tests of the examples with everything that they require: the packages of each, and the runtimes. Exits with 1 if
// a test fails or is skipped. PostgreSQL and Redis must run. `npm run test:fleet` runs those with nginx and haproxy.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'
import { install } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = 'adapters/examples'
try {
  await install(new URL('runtimes/', import.meta.url))
  const names = readdirSync(join(root, examples))
  for (const name of names.filter((name) => existsSync(join(root, examples, name, 'package.json')))) {
    await install(new URL(`../${examples}/${name}/`, import.meta.url))
    if (existsSync(join(root, examples, name, 'tsconfig.json')))
      await run('npx', ['tsc', '-p', `${examples}/${name}`], { cwd: root })
  }
  await test()
} catch (error) {
  console.error(`the examples failed: ${error.message}`)
  process.exitCode = 1
}

async function test() {
  const folders = [examples, ...readdirSync(join(root, examples)).map((name) => join(examples, name))]
  const files = folders
    .filter((folder) => statSync(join(root, folder)).isDirectory())
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.fleet.test.ts'))
  const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', ...files]
  const tap = await run(process.execPath, args, { cwd: root, env: { CI: 'true' } })
  // a store of one's own may lack what the contract asks for by an option
  const skipped = tap
    .split('\n')
    .filter((line) => /^ok .*# SKIP/.test(line) && !line.includes('skipped: no options.'))
  if (skipped.length > 0) throw new Error(`these were skipped:\n${skipped.join('\n')}`)
  console.log(
    tap
      .split('\n')
      .filter((line) => /^# (?:tests|pass) /.test(line))
      .join('\n'),
  )
}
