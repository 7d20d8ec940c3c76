#!/usr/bin/env node
import { run } from './run.ts'

const { argv, env, pid, stdin, stdout, stderr } = process
process.exit(
  await run({ argv: argv.slice(2), env, pid, stdin, stdout, stderr, events: process, clock: Date.now }),
)
