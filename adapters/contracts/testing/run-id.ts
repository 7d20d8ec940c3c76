import { randomBytes } from 'node:crypto'

/** Names what the tests of this process store. A killed run leaves its own behind, so that a process id may be taken. */
export const runId: string = randomBytes(4).toString('hex')
