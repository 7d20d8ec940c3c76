// Checks the documentation page, the HTML report and the client in Chromium: node .ci/browser/check.mjs. $CHROMIUM may
// name the program, which is otherwise installed with apt-get.
import { check } from '../command.mjs'
import { startServer } from '../server.mjs'
import { launchChromium, servePage } from './chromium.mjs'
import { clientChecks } from './client.mjs'
import { pageChecks } from './pages.mjs'

async function runChecks(browser, fixture) {
  let failures = 0
  for (const [title, check] of Object.entries({
    ...pageChecks,
    ...clientChecks, // these reach the rate limit, so they come last
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
  // Only this origin is listed in --cors. The same page on localhost is another origin.
  const { origin, port, close } = await servePage()
  try {
    const server = await startServer('--cors', origin)
    try {
      const fixture = { ...server, listed: origin, unlisted: `http://localhost:${port}` }
      const failures = await runChecks(browser, fixture)
      if (failures > 0) throw new Error(`${failures} checks failed`)
    } finally {
      await server.stop()
    }
  } finally {
    close()
    await browser.close()
  }
})
