import type { Mount } from './exchange.ts'
import { faultsSuite } from './mount-suite/faults.ts'
import { limitsSuite } from './mount-suite/limits.ts'
import { operationsSuite } from './mount-suite/operations.ts'
import type { Runner } from './mount-suite/runner.ts'
import { spellingsSuite } from './mount-suite/spellings.ts'

/** What a client sees of the service, whatever it is mounted on. */
export function mountSuite(name: string, mount: Mount, runner: Runner): void {
  runner.describe(name, () => {
    operationsSuite(mount, runner)
    spellingsSuite(mount, runner)
    faultsSuite(mount, runner)
    limitsSuite(mount, runner)
  })
}
