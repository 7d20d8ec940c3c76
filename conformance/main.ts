#!/usr/bin/env node
import process from 'node:process'

const { argv, env, stdout, stderr, versions } = process
const [major = 0, minor = 0] = versions.node.split('.').map(Number)
if (major * 100 + minor < 2019) {
  stderr.write(`pet-adoption-conformance: this is Node ${versions.node}: install Node 20.19 or later\n`)
  process.exit(2)
}

const { cli, programOf } = await import('./cli/cli.ts') // an older Node cannot load it
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // the reader of the output, such as head, has closed it
  if (error.code !== 'EPIPE') throw error
})
/** The second interrupt has no listener, and ends the process. */
const onInterrupt = (listener: () => void): (() => void) => {
  process.once('SIGINT', listener)
  return () => process.off('SIGINT', listener)
}
process.exitCode = await cli({
  argv: argv.slice(2),
  program: programOf(argv[1] ?? ''),
  env,
  stdout,
  stderr,
  onInterrupt,
})
