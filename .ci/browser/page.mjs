// What the checks of pages share.
import assert from 'node:assert/strict'

/** Opens an address. Returns the page, with its errors and its requests so far. */
export async function open(context, address, viewport) {
  const page = await context.newPage()
  if (viewport) await page.setViewportSize(viewport)
  const errors = []
  const requests = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => requests.push(request))
  await page.goto(address)
  return { page, errors, requests }
}

const colorSchemes = ['light', 'dark']

/** Throws if axe finds a problem of accessibility, in light or in dark mode. `opened` returns a page. */
export async function isAccessible(opened) {
  const { default: axe } = await import('axe-core')
  for (const colorScheme of colorSchemes) {
    const page = await opened()
    await page.emulateMedia({ colorScheme })
    // Playwright evaluates it past the policy of the page
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate('axe.run()')
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      [],
    )
    await page.close()
  }
}

/**
 * Checks a page in light and in dark mode, which must differ, and takes a screenshot of each if there is a folder for them.
 *
 * @param opened Returns a page.
 * @param check Throws if the page does not fit.
 */
export async function fits(name, screenshots, opened, check) {
  const backgrounds = new Set()
  for (const colorScheme of colorSchemes) {
    const page = await opened()
    await page.emulateMedia({ colorScheme })
    await check(page)
    backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
    if (screenshots)
      await page.screenshot({ path: `${screenshots}/${name}-${colorScheme}.png`, fullPage: true })
    await page.close()
  }
  assert.equal(backgrounds.size, 2)
}
