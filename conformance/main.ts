#!/usr/bin/env node
import process from 'node:process'
import { cli } from './cli/cli.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // the reader of the output, such as head, has closed it
  if (error.code !== 'EPIPE') throw error
})
const { argv, env, stdout, stderr } = process
/** The second interrupt has no listener, and ends the process. */
const onInterrupt = (listener: () => void): (() => void) => {
  process.once('SIGINT', listener)
  return () => process.off('SIGINT', listener)
}
process.exitCode = await cli({ argv: argv.slice(2), env, stdout, stderr, onInterrupt })
