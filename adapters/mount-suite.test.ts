import { describe, it } from 'node:test'
import { mountSuite } from './testing/mount-suite.ts'
import { mounts } from './testing/mounts.ts'

for (const [name, mount] of Object.entries(mounts)) mountSuite(name, mount, { describe, it })
