import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** Returns a new folder, which is removed when the test file is done. It belongs to the user, if one is given. */
export function temporaryFolder({ uid, gid }: { uid?: number; gid?: number } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'pets-'))
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  after(() => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch (cause) {
      if (process.platform !== 'win32') throw cause // a database that is open cannot be removed there
    }
  })
  return folder
}
