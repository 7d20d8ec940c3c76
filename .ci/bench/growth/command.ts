import { parseArgs } from 'node:util'
import type { Command } from '../command.ts'
import { choose } from '../flag-values.ts'
import { storageIds } from './operations.ts'

export const growth: Command = {
  title: 'the cost of each operation with a thousand to a million animals and keys; five minutes',
  flags: `  --to POWER          the power of ten of the most animals, 3 to 7 (default: 6); 7 requires 12 GB of memory
  --storages LIST     comma-separated: ${storageIds.join(', ')} (default: all)
  --write             replaces the table of adapters/README.md`,
  read(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        to: { type: 'string', default: '6' },
        storages: { type: 'string', default: storageIds.join() },
        write: { type: 'boolean', default: false },
      },
    })
    const { to, storages, write } = values
    if (!/^[3-7]$/.test(to)) throw new Error(`--to must be a power of ten from 3 to 7, not ${to}`)
    const plan = { to: Number(to), storages: choose('--storages', storages, storageIds) }
    return async () => (await import('./growth.ts')).reportGrowth(plan, write)
  },
}
