// A test runner for every runtime: some have no node:test, and some only a part of it.

const patienceMs = 30_000

/**
 * Runs the tests that `declare` adds, one after the other.
 * @returns {Promise<{passed: number, skipped: string[], failed: {name: string, reason: string}[]}>}
 */
export async function runSuite(declare) {
  const tests = []
  const path = []
  const skipped = []
  const it = (name, body) => void tests.push({ name: [...path, name].join(': '), body })
  it.skip = (name) => void skipped.push(name)
  await declare({
    it,
    describe(name, body) {
      path.push(name)
      body()
      path.pop()
    },
  })

  const failed = []
  for (const { name, body } of tests) {
    const reason = await failureOf(body)
    if (reason !== undefined) failed.push({ name, reason })
  }
  return { passed: tests.length - failed.length, skipped, failed }
}

async function failureOf(body) {
  const cleanups = []
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${patienceMs} ms`)), patienceMs)
  })
  try {
    await Promise.race([body({ after: (work) => cleanups.push(work) }), late])
    for (const cleanup of cleanups) await cleanup()
    return undefined
  } catch (error) {
    for (const cleanup of cleanups) await Promise.resolve(cleanup()).catch(() => {})
    return String(error?.stack ?? error)
  } finally {
    clearTimeout(timer)
  }
}
