import { randomBytes } from 'node:crypto'

/** Names what the tests of this process store. It is no process id, which a killed run may have left behind. */
export const runId: string = randomBytes(4).toString('hex')
