import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** Returns a new folder, which is removed when the test file is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pets-'))
  after(() => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch (cause) {
      if (process.platform !== 'win32') throw cause // a database that is open cannot be removed there
    }
  })
  return folder
}
