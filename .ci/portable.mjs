// Runs the commands of the README (`npm ci`, `npm start`, `npm test`) on the last commit, on a machine as a newcomer
// might have it: in a folder whose name has a space and a #, checked out by a git that prefers CRLF, with a PATH that
// has only node and npm, and without a database.
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { check, root, run } from './command.mjs'

const { PATH = '' } = process.env

/** Returns the program of npm, which is a module that node runs. */
function npmProgram() {
  const beside = PATH.split(delimiter).concat(dirname(process.execPath))
  for (const place of beside) {
    try {
      return realpathSync(join(place, 'npm'))
    } catch {}
  }
  throw new Error('there is no npm in PATH')
}

/** Throws if a text file has other line endings than in the repository. */
async function checkLines(checkout) {
  const files = await run('git', ['ls-files', '--eol'], { cwd: checkout })
  const changed = files.split('\n').filter((line) => /\bw\/(?:crlf|mixed)\b/.test(line))
  if (changed.length > 0) throw new Error(`git checked out CRLF:\n${changed.join('\n')}`)
}

await check('a clean checkout with node and npm alone', async (folder) => {
  const places = ['checkout #1', 'bin', 'temporary files'].map((name) => join(folder, name))
  const [checkout, bin, temporary] = places
  const crlf = ['-c', 'core.autocrlf=true', '-c', 'core.eol=crlf']
  await run('git', [...crlf, 'clone', '--quiet', '--config', 'core.autocrlf=true', root, checkout])
  await checkLines(checkout)
  chmodSync(folder, 0o755) // tests start a PostgreSQL as another user, whose data lies in it
  mkdirSync(bin)
  mkdirSync(temporary)
  symlinkSync(process.execPath, join(bin, 'node'))
  symlinkSync(npmProgram(), join(bin, 'npm'))
  const absent = {
    PET_ADOPTION_TEST_DATABASE_URL: 'postgres://127.0.0.1:9/none',
    PET_ADOPTION_TEST_REDIS_URL: 'redis://127.0.0.1:9',
  }
  // npm looks for sh in PATH: the scripts themselves need none of its programs.
  const env = { ...absent, CI: '', PATH: bin, TMPDIR: temporary, npm_config_script_shell: '/bin/sh' }
  const npm = (...args) => run('npm', args, { cwd: checkout, env, timeout: 900_000 })
  await npm('ci')
  console.log('ok      npm ci')
  await run(process.execPath, [join(checkout, '.ci/starts.mjs')], { cwd: checkout, env })
  console.log('ok      npm start')
  const lines = (await npm('test')).split('\n')
  const totals = lines.filter((line) => /^(?:# |ℹ )(?:tests|pass|fail|skipped)/.test(line))
  console.log(['ok      npm test', ...totals].join('\n'))
  const skipped = lines.filter((line) => /# SKIP|﹣/.test(line))
  console.log(`${skipped.length} tests were skipped for what this PATH lacks`)
})
