import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** Creates a folder, optionally for a user, and removes it after the tests. */
export function createTemporaryFolder({ uid, gid }: { uid?: number; gid?: number } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'pets-'))
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  after(() => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch (cause) {
      if (process.platform !== 'win32') throw cause // Windows cannot remove open files
    }
  })
  return folder
}
