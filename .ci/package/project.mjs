// A fresh project of a user, in a folder of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serving } from '../../adapters/examples/testing/serving.ts'
import { run } from '../command.mjs'

/** Takes the files by their paths: text, or a value for JSON. Each command runs in the folder, with this environment. */
export function createProject(cwd, files, env) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }

  return {
    run: (command, ...args) => run(command, args, { cwd, env }),
    /** Has a program listen on the port of the variable PORT, hands `use` its origin, and ends it. */
    async serve(use, ...commandLine) {
      const { origin, end } = await serving({ after() {} }, commandLine, { cwd, env })
      await use(origin).finally(end)
    },
  }
}
