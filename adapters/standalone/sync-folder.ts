import { open } from 'node:fs/promises'

/** Writes the names of new files in a folder to disk, where the system supports it. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
