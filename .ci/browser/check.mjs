// Tests the documentation page and CORS of the built standalone server, the client, and the HTML report of the
// conformance suite, in Chromium, with clicks and keys. It installs playwright-core from npm, and Chromium from Debian
// unless the machine has it or CHROMIUM names a program. Exits with 1 and the reasons if anything fails.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { check, run } from '../command.mjs'
import { install } from '../install.mjs'
import { startServer } from '../server.mjs'
import { clientChecks } from './client.mjs'
import { pageChecks } from './pages.mjs'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** With these flags Chromium sends only the requests of the pages. */
const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function launch() {
  await install(new URL('.', import.meta.url))
  if (spawnSync(executablePath, ['--version']).error) {
    await run('apt-get', ['update', '-qq'])
    const packages = ['chromium', 'fonts-dejavu']
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
      timeout: 300_000,
    })
  }
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath, args: chromiumFlags, timeout: 30_000 })
}

/** Returns the number of failed checks. */
async function runChecks(browser, fixture) {
  let failures = 0
  for (const [title, check] of Object.entries({
    ...pageChecks,
    ...clientChecks, // behind them: it uses up the requests of anonymous clients
  })) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(10_000)
    try {
      await check(context, fixture)
      console.log(`ok      ${title}`)
    } catch (error) {
      failures++
      console.log(`FAILED  ${title}\n${error.stack}`)
    }
    await context.close()
  }
  return failures
}

await check('the check in Chromium', async () => {
  const browser = await launch()
  // A page of another origin, which has two names. The server allows only the first.
  const pages = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>A page</title>')
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const { port } = pages.address()
  const listed = `http://127.0.0.1:${port}`
  try {
    const server = await startServer('--cors', listed)
    try {
      const fixture = { ...server, listed, unlisted: `http://localhost:${port}` }
      const failures = await runChecks(browser, fixture)
      if (failures > 0) throw new Error(`${failures} of the checks above`)
    } finally {
      await server.stop()
    }
  } finally {
    pages.close().closeAllConnections()
    await browser.close()
  }
})
