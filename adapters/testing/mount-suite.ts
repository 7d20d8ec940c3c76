import { describe } from 'node:test'
import type { Mount } from './exchange.ts'
import { faultsSuite } from './mount-suite/faults.ts'
import { limitsSuite } from './mount-suite/limits.ts'
import { operationsSuite } from './mount-suite/operations.ts'
import { spellingsSuite } from './mount-suite/spellings.ts'

/** What a client sees of the service, whatever it is mounted on. */
export function mountSuite(name: string, mount: Mount): void {
  describe(name, () => {
    operationsSuite(mount)
    spellingsSuite(mount)
    faultsSuite(mount)
    limitsSuite(mount)
  })
}
