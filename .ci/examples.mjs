// Runs the tests of the examples with everything that they require: the packages of each, and the runtimes. Exits with
// 1 if a test fails or is skipped. PostgreSQL and Redis must run; `.ci/e2e-programs.sh` installs nginx, haproxy and Caddy.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { check, root, run, runTests } from './command.mjs'
import { install } from './install.mjs'
import { testsIn } from './test-files.mjs'

const examples = 'adapters/examples'
await check('the examples', async () => {
  await install(new URL('runtimes/', import.meta.url))
  const names = readdirSync(join(root, examples))
  for (const name of names.filter((name) => existsSync(join(root, examples, name, 'package.json')))) {
    await install(new URL(`../${examples}/${name}/`, import.meta.url))
    if (existsSync(join(root, examples, name, 'tsconfig.json')))
      await run('npx', ['tsc', '-p', `${examples}/${name}`], { cwd: root })
  }
  // A store of one's own may lack what the contract asks for by an option. Only root makes a network namespace.
  await runTests(process.execPath, testsIn(join(root, examples)), {
    env: { CI: 'true' },
    allowed: /skipped: (?:no options\.|this machine makes no network namespace)/,
    timeout: 600_000,
  })
})
