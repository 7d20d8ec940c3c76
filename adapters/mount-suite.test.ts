import { describe, it } from 'node:test'
import { testMount } from './testing/mount-suite.ts'
import { mounts } from './testing/mounts.ts'

for (const [name, mount] of Object.entries(mounts)) testMount(name, mount, { describe, it })
