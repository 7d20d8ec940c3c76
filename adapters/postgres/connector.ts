import type { BackendOptions } from '../backend/index.ts'
import type { PgClient, PostgresDriver } from './driver.ts'
import {
  createClientConfig,
  isSettingsRejection,
  rejectedSettingsMessage,
  sessionSettings,
} from './session.ts'
import type { Connect } from './transaction.ts'

/** Opens connections that do not belong to the pool. */
export interface Connector {
  /**
   * Opens the first connection. If PostgreSQL or a pooler rejects the session settings, all connections are opened
   * without them, and a warning is reported.
   */
  openFirstClient(): Promise<PgClient>
  /** Opens a connection for a transaction. */
  readonly connect: Connect
  /**
   * Returns the configuration for the pool. PostgreSQL cancels its statements after `statementMs` milliseconds, unless
   * the session settings were rejected.
   */
  createPoolConfig(statementMs: number): object
}

/** Maximum time to open a connection, in milliseconds. */
export const connectTimeoutMs = 5_000
/** Maximum time for a statement of key management, in milliseconds. Imports and exports have no limit. */
const keyTimeoutMs = 10_000

export function createConnector(
  { Client }: PostgresDriver,
  url: string,
  onEvent: BackendOptions['onEvent'],
): Connector {
  let settings = sessionSettings

  async function openClient(limits: object = {}): Promise<PgClient> {
    const config = createClientConfig(url, settings)
    const client = new Client({ ...config, ...limits, connectionTimeoutMillis: connectTimeoutMs })
    client.on('error', () => {}) // the next statement rejects
    await client.connect()
    return client
  }

  return {
    async openFirstClient() {
      try {
        return await openClient()
      } catch (cause) {
        if (!isSettingsRejection(cause)) throw cause
        settings = {}
        const client = await openClient()
        onEvent?.({ level: 'warning', event: 'postgres', message: rejectedSettingsMessage, cause })
        return client
      }
    },
    async connect(method) {
      const client = await openClient(/Pets$/.test(method) ? {} : { query_timeout: keyTimeoutMs })
      return { query: (text, values) => client.query(text, values), release: () => void client.end() }
    },
    createPoolConfig(statementMs) {
      const areSettingsRejected = Object.keys(settings).length === 0
      return createClientConfig(
        url,
        areSettingsRejected ? settings : { ...settings, statement_timeout: statementMs },
      )
    },
  }
}
