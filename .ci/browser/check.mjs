// Tries the documentation page and CORS in Chromium, by clicks and keys, against the built standalone server. It installs
// what is missing (playwright-core from npm, Chromium from Debian). Exits with 1 and the reasons where anything fails.
//
//   node .ci/browser/check.mjs [FOLDER for screenshots]
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { startServer } from '../server.mjs'

const [, , screenshots] = process.argv
const folder = fileURLToPath(new URL('.', import.meta.url))

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: 'inherit', timeout: 300_000 })
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `exit code ${status}`}`)
}

run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
if (spawnSync('chromium', ['--version']).status !== 0) {
  run('apt-get', 'update', '-qq')
  run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu')
}
const { chromium } = await import('playwright-core')
const { corsChecks } = await import('./cors.mjs')
const { docsChecks } = await import('./docs.mjs')

// A page of another origin, at two names: the server lists the first only.
const pages = createServer((_req, res) =>
  res.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>A page</title>'),
)
await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve))
const { port } = pages.address()
const [listed, unlisted] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]

const server = await startServer('--cors', listed)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
let failures = 0
try {
  for (const [title, check] of Object.entries({ ...docsChecks, ...corsChecks })) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(10_000)
    try {
      await check(context, { ...server, listed, unlisted, screenshots })
      console.log(`ok      ${title}`)
    } catch (error) {
      failures++
      console.log(`FAILED  ${title}\n${error.stack}`)
    }
    await context.close()
  }
} finally {
  await browser.close()
  await server.stop()
  pages.close().closeAllConnections()
}
if (failures > 0) {
  console.error(`${failures} checks failed in Chromium`)
  process.exitCode = 1
}
