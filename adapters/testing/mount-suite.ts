import type { Mount, Runner } from './exchange.ts'
import { errorsSuite } from './mount-suite/errors.ts'
import { idempotencySuite } from './mount-suite/idempotency.ts'
import { limitsSuite } from './mount-suite/limits.ts'
import { operationsSuite } from './mount-suite/operations.ts'
import { spellingsSuite } from './mount-suite/spellings.ts'

const suites = [operationsSuite, spellingsSuite, errorsSuite, idempotencySuite, limitsSuite]

/** Tests what a client sees of the service. The tests are the same for every mount. */
export function mountSuite(name: string, mount: Mount, runner: Runner): void {
  runner.describe(name, () => {
    for (const suite of suites) suite(mount, runner)
  })
}
