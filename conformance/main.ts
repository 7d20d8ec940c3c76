#!/usr/bin/env node
import process from 'node:process'

const { argv, env, stdout, stderr, versions } = process
const [major = 0, minor = 0] = versions.node.split('.').map(Number)

/** Calls the listener for the first interrupt. The second one has no listener, and ends the process. */
function onInterrupt(listener: () => void): () => void {
  process.once('SIGINT', listener)
  return () => process.off('SIGINT', listener)
}

// the exit code is set, and nothing calls `process.exit`: the process ends when its output is written
if (major * 100 + minor < 2019) {
  stderr.write(`pet-adoption-conformance: this is Node ${versions.node}: install Node 20.19 or later\n`)
  process.exitCode = 2
} else {
  const { cli, createSink, formatProgramName } = await import('./cli/cli.ts') // an older Node cannot load it
  process.exitCode = await cli({
    argv: argv.slice(2),
    program: formatProgramName(argv[1] ?? ''),
    env,
    stdout: createSink(stdout),
    stderr: createSink(stderr),
    onInterrupt,
  })
}
