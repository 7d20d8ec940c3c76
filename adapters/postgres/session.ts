/** PostgreSQL settings for a session, by name. */
export type SessionSettings = Readonly<Record<string, string | number>>

/**
 * Settings for each session. PostgreSQL ends a session within 30 s after its client is lost, whether it is idle, sends
 * a result or runs a statement.
 */
export const sessionSettings: SessionSettings = {
  default_transaction_isolation: 'read\\ committed',
  client_connection_check_interval: 5_000,
  tcp_user_timeout: 20_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
}

/**
 * Returns pg's configuration for a URL. The settings follow those in the URL, or in `PGOPTIONS` if the URL has none,
 * and override them.
 */
export function createClientConfig(url: string, settings: SessionSettings): object {
  const [address = '', ...query] = url.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  const urlOptions = parameters.get('options')
  parameters.delete('options')
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return {
    connectionString: urlOptions === null ? url : `${address}?${parameters}`,
    options: [urlOptions ?? process.env.PGOPTIONS ?? '', ...flags].join(' ').trim(),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

/**
 * Matches errors from RDS Proxy, PgBouncer and similar poolers that reject session settings, and from PostgreSQL where
 * it has no `client_connection_check_interval`: on Windows, and before version 14.
 */
const settingsRejection =
  /unsupported startup parameter|command-line options|client_connection_check_interval/i

/** Checks whether PostgreSQL or a pooler rejected the session settings. */
export function isSettingsRejection(error: unknown): boolean {
  return error instanceof Error && settingsRejection.test(error.message)
}

/** Warning after the session settings were rejected. */
export const rejectedSettingsMessage =
  'PostgreSQL or its pooler rejects session settings, so connections are opened without them: statements that wait for a lock are not canceled after 2.2 s, and transactions use the default isolation level of the database. Set both with ALTER ROLE. For PgBouncer, add the line "ignore_startup_parameters = options" to its configuration'
