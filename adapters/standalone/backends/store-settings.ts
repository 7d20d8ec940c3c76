import { chooseOne, isFromCommandLine, type Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import { type StoreChoice, storeKinds } from './open-store.ts'

export type StoreSettings = Pick<Settings, (typeof storeKinds)[number] | 'table' | 'postgres-pool'>

/**
 * Returns the chosen storage, or `undefined` if none is chosen.
 *
 * @throws {UsageError} If a flag for PostgreSQL is used with another storage, or if several storages are chosen.
 */
export function readStoreChoice(settings: StoreSettings): StoreChoice | undefined {
  const kind = chooseOne(settings, storeKinds)
  const chosen = kind && settings[kind]
  const setting = chosen && { value: String(chosen.value), source: chosen.source }
  const { table, 'postgres-pool': pool } = settings
  if (setting && kind === 'postgres')
    return {
      kind,
      ...setting,
      ...(table && { table: table.value }),
      ...(pool && { poolSize: pool.value }),
    }
  const unusedSetting = [table, pool].find(isFromCommandLine)
  if (unusedSetting) throw new UsageError(`${unusedSetting.source} requires --postgres`)
  return setting && { kind, ...setting }
}
