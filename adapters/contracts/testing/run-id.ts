import { randomBytes } from 'node:crypto'

/**
 * A name for the data that the tests of this process store. It is random: a killed run may have left the name of a
 * process id behind.
 */
export const runId: string = randomBytes(4).toString('hex')
