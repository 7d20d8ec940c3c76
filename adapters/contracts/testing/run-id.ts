import { randomBytes } from 'node:crypto'

/**
 * Part of each table name and key in this test process. It is random, because a killed process may have left tables
 * with its process id.
 */
export const runId: string = randomBytes(4).toString('hex')
