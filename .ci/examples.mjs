// Compiles and tests the examples: node .ci/examples.mjs. Requires PostgreSQL and Redis, and the programs that
// .ci/e2e-programs.sh installs.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { check, root, run } from './command.mjs'
import { install } from './install.mjs'
import { testsIn } from './test-files.mjs'

const examples = 'adapters/examples'
/** Folders whose tests need nothing that `npm test` lacks. */
const tested = /[\\/](?:documents|kubernetes|own-\w+)[\\/]/

await check('the examples', async () => {
  await install(new URL('runtimes/', import.meta.url))
  const names = readdirSync(join(root, examples))
  for (const name of names.filter((name) => existsSync(join(root, examples, name, 'package.json')))) {
    await install(new URL(`../${examples}/${name}/`, import.meta.url))
    if (existsSync(join(root, examples, name, 'tsconfig.json')))
      await run('npx', ['tsc', '-p', `${examples}/${name}`], { cwd: root })
  }
  const files = testsIn(join(root, examples)).filter((path) => !tested.test(path))
  const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', ...files]
  const printed = await run(process.execPath, args, { cwd: root, env: { CI: 'true' }, timeout: 600_000 })
  const lines = printed.split('\n')
  // Only root may create a network namespace.
  const skipped = lines.filter((line) => /^ok .*# SKIP(?!.*cannot create a network namespace)/.test(line))
  if (skipped.length > 0) throw new Error(`these tests were skipped:\n${skipped.join('\n')}`)
  console.log(lines.filter((line) => /^# (?:tests|pass) /.test(line)).join('\n'))
})
