import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../../core/index.ts'
import { type Endings, withEndings } from './endings.ts'
import type { KeysFile } from './figures.ts'
import { round } from './measure-cell.ts'
import { startStandalone } from './standalone-part.ts'
import { keyOf } from './world.ts'

/** About as many keys as the bound of the file allows. */
const keys = 100_000

/** Measures what a large keys file costs a server. */
export async function measureKeysFile(): Promise<KeysFile> {
  return withEndings(async (endings: Endings) => {
    const folder = mkdtempSync(join(tmpdir(), 'pets-fleet-keys-'))
    endings.add(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'keys.json')
    const records = Array.from({ length: keys }, (_, caller) => ({
      id: `caller-${caller}`,
      sha256: sha256(keyOf(caller)),
      plan: 'pro',
    }))
    writeFileSync(path, JSON.stringify({ keys: records }), { mode: 0o600 })
    const server = await startStandalone(['--memory', '--keys', path], endings)
    return {
      keys,
      fileMiB: round(statSync(path).size / 2 ** 20),
      startMs: Math.round(server.startMs),
      serverMiB: Math.round(server.memory()),
    }
  })
}
