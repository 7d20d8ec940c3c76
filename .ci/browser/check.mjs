// Tests the documentation page and CORS of the built standalone server, the client, and the HTML report of the
// conformance suite, in Chromium, with clicks and keys. It installs playwright-core from npm, and Chromium from Debian
// unless the machine has it or CHROMIUM names a program. Exits with 1 and the reasons if anything fails.
import { check } from '../command.mjs'
import { startServer } from '../server.mjs'
import { launchChromium, servePage } from './chromium.mjs'
import { clientChecks } from './client.mjs'
import { pageChecks } from './pages.mjs'

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
  const browser = await launchChromium()
  // A page of another origin, which has two names. The server allows only the first.
  const { origin, port, close } = await servePage()
  try {
    const server = await startServer('--cors', origin)
    try {
      const fixture = { ...server, listed: origin, unlisted: `http://localhost:${port}` }
      const failures = await runChecks(browser, fixture)
      if (failures > 0) throw new Error(`${failures} of the checks above`)
    } finally {
      await server.stop()
    }
  } finally {
    close()
    await browser.close()
  }
})
