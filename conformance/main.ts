#!/usr/bin/env node
import process from 'node:process'

const { argv, env, stdout, stderr, versions } = process
const [major = 0, minor = 0] = versions.node.split('.').map(Number)

const interrupts = ['SIGINT', 'SIGTERM'] as const

/** Calls the listener at the first interrupt. A second interrupt terminates the process. */
function onInterrupt(listener: (signal: (typeof interrupts)[number]) => void): () => void {
  const interrupt = (signal: (typeof interrupts)[number]): void => {
    removeListeners()
    listener(signal)
  }
  const removeListeners = (): void => {
    for (const signal of interrupts) process.off(signal, interrupt)
  }
  for (const signal of interrupts) process.on(signal, interrupt)
  return removeListeners
}

// The program only sets the exit code, because `process.exit` could lose output.
if (major * 100 + minor < 2019) {
  stderr.write(`pet-adoption-conformance: requires Node 20.19 or later, but this is Node ${versions.node}\n`)
  process.exitCode = 2
} else {
  const { runCli, createSink, formatProgramName } = await import('./cli/cli.ts') // The module is imported dynamically, because an older Node version cannot load it
  process.exitCode = await runCli({
    argv: argv.slice(2),
    program: formatProgramName(argv[1] ?? ''),
    env,
    stdout: createSink(stdout),
    stderr: createSink(stderr),
    onInterrupt,
  })
}
