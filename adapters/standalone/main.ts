#!/usr/bin/env node
import { programName } from './cli/program-name.ts'
import { run } from './run.ts'

const { argv, env, pid, stdin, stdout, stderr } = process
const program = programName({ script: argv[1] ?? '', cwd: process.cwd(), env })
process.exit(
  await run({
    argv: argv.slice(2),
    program,
    env,
    pid,
    stdin,
    stdout,
    stderr,
    events: process,
    clock: Date.now,
  }),
)
