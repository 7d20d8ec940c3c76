import type { ClientConfig } from 'pg'

/** The parameters of PostgreSQL for a session, by their names. */
export type SessionSettings = Readonly<Record<string, string | number>>

/**
 * The settings of every session. A backend ends within 30 s if its client is gone, whether it is idle, sends a result
 * or runs a statement.
 */
const commonSettings: SessionSettings = {
  default_transaction_isolation: 'read\\ committed',
  client_connection_check_interval: 5_000,
  tcp_user_timeout: 20_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
}

/** The line that PgBouncer needs, since it rejects the settings of a session otherwise. */
const pgBouncerLine = 'ignore_startup_parameters = options'

/**
 * Returns the options of a connection to an address, with settings for its session. They override the `options` of the
 * address or of `PGOPTIONS`.
 */
export function createClientConfig(url: string, settings: SessionSettings = {}): ClientConfig {
  const [address = '', query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  const optionsOfAddress = parameters.get('options')
  parameters.delete('options')
  const flags = Object.entries({ ...commonSettings, ...settings }).map(
    ([name, value]) => `-c ${name}=${value}`,
  )
  return {
    connectionString: optionsOfAddress === null ? url : `${address}?${parameters}`,
    options: [optionsOfAddress ?? process.env.PGOPTIONS ?? '', ...flags].join(' ').trim(),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

/** Returns what to do about a pooler that rejects the settings of a session; undefined for any other error. */
export function adviseOnPooler(error: unknown): string | undefined {
  return error instanceof Error && error.message.includes('unsupported startup parameter')
    ? `PgBouncer rejects the settings of the session: add the line "${pgBouncerLine}" to its configuration, and reload it`
    : undefined
}
