// Creates a new project that uses the package.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serving } from '../../adapters/examples/testing/serving.ts'
import { run } from '../command.mjs'

/** Creates a project in the folder `cwd`. A file is text, or a value for JSON. Each command runs in the folder, with `env`. */
export function createProject(cwd, files, env) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }

  return {
    run: (command, ...args) => run(command, args, { cwd, env }),
    /** Runs a program that calls the service at an origin. */
    call: (origin, command, ...args) => {
      const service = { PET_ADOPTION_URL: `${origin}/v1`, PET_ADOPTION_API_KEY: 'my-first-long-api-key' }
      return run(command, args, { cwd, env: { ...env, ...service } })
    },
    /** Starts a program that listens on the port of the variable PORT, calls `use` with its origin, and ends it. */
    async serve(use, ...commandLine) {
      const { origin, end } = await serving({ after() {} }, commandLine, { cwd, env })
      await use(origin).finally(end)
    },
  }
}
