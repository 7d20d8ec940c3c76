// Exported by every backend package.

export type { Backend, BackendEvent, BackendOptions } from './backend.ts'
export type { Health } from './health.ts'
export type { IssuedKey, IssueOptions, KeyManagement, NewKey, Rotation } from './key-management.ts'
export type { KeyChange, KeyCount, KeyRecords, KeySelection } from './key-records.ts'
export { StartupError, type StartupErrorCode } from './startup-error.ts'
export type { ManagedKeyStore, SchemaVersions, StoreBackend, Transfer } from './store-backend.ts'
