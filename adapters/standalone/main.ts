#!/usr/bin/env node
import { existsSync } from 'node:fs'

const { argv, env, pid, stdout, stderr, versions } = process
const [major = 0, minor = 0] = versions.node.split('.').map(Number)
if (major * 100 + minor < 2019) {
  stderr.write(`pet-adoption-service: this is Node ${versions.node}: install Node 20.19 or later\n`)
  process.exit(2)
}

const { formatProgram, run, writeWholeChunks } = await import('./run.ts') // older versions of Node cannot load it
writeWholeChunks(stdout, 1)
writeWholeChunks(stderr, 2)
process.exit(
  await run({
    argv: argv.slice(2),
    program: formatProgram(argv[1] ?? '', process.cwd()),
    env,
    pid,
    get stdin() {
      return process.stdin // opening stdin takes Node milliseconds
    },
    stdout,
    stderr,
    events: process,
    clock: Date.now,
    exists(path) {
      try {
        return existsSync(path)
      } catch {
        return false // a runtime with permissions may deny it
      }
    },
  }),
)
