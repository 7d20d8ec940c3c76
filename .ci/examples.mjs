// Runs the tests of the examples with everything that they require: the packages of each, the runtimes, nginx. Exits with 1 if
// a test fails or is skipped. PostgreSQL and Redis must run.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'
import { install } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = 'adapters/examples'
const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-examples-'))
try {
  await install(new URL('runtimes/', import.meta.url))
  const names = readdirSync(join(root, examples))
  for (const name of names.filter((name) => existsSync(join(root, examples, name, 'package.json')))) {
    await install(new URL(`../${examples}/${name}/`, import.meta.url))
    if (existsSync(join(root, examples, name, 'tsconfig.json')))
      await run('npx', ['tsc', '-p', `${examples}/${name}`], { cwd: root })
  }
  await test(`${await folderOfNginx()}${delimiter}${process.env.PATH}`)
} catch (error) {
  console.error(`the examples failed: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}

/** Unpacks Debian's nginx, without the service that its package would start, unless the machine has one. Returns its folder. */
async function folderOfNginx() {
  const found = await run('which', ['nginx']).catch(() => undefined)
  if (found === undefined) {
    await run('sh', ['-c', 'apt-get update -qq && apt-get download -qq nginx && dpkg-deb -x nginx_*.deb .'], {
      cwd: folder,
    })
  }
  return join(folder, 'usr/sbin')
}

async function test(path) {
  const folders = [examples, ...readdirSync(join(root, examples)).map((name) => join(examples, name))]
  const files = folders
    .filter((folder) => statSync(join(root, folder)).isDirectory())
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.test.ts'))
  const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', ...files]
  const tap = await run(process.execPath, args, { cwd: root, env: { PATH: path, CI: 'true' } })
  const skipped = tap.split('\n').filter((line) => /^ok .*# SKIP/.test(line))
  if (skipped.length > 0) throw new Error(`these were skipped:\n${skipped.join('\n')}`)
  console.log(
    tap
      .split('\n')
      .filter((line) => /^# (?:tests|pass) /.test(line))
      .join('\n'),
  )
}
