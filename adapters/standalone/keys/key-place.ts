import type { KeyPlace } from '../cli/key-settings.ts'
import type { OpenKeyRecords } from '../storage/open-storage.ts'
import { openKeysOf } from '../storage/storage.ts'
import { createFileRecords } from './file-records.ts'

/**
 * Opens the keys of a file or a storage. Rejects with `StartError`.
 *
 * @param creates Whether a storage that does not exist is created.
 */
export async function openKeyPlace(
  place: KeyPlace,
  creates: boolean,
  clock: () => number,
): Promise<OpenKeyRecords> {
  return place.kind === 'keys'
    ? { records: createFileRecords(place.value), close() {} }
    : openKeysOf(place, { creates, clock })
}
