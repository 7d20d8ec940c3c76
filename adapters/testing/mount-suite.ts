import type { Mount, TestRunner } from './exchange.ts'
import { testErrors } from './mount-suite/errors.ts'
import { testIdempotency } from './mount-suite/idempotency.ts'
import { testLimits } from './mount-suite/limits.ts'
import { testOperations } from './mount-suite/operations.ts'
import { testRequests } from './mount-suite/requests.ts'

const suites = [testOperations, testRequests, testErrors, testIdempotency, testLimits]

/** Declares tests that are the same for every mount. */
export function testMount(name: string, mount: Mount, runner: TestRunner): void {
  runner.describe(name, () => {
    for (const suite of suites) suite(mount, runner)
  })
}
