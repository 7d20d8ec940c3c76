import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClientConfig, isSettingsRejection } from './session.ts'

describe('the configuration of a PostgreSQL connection', () => {
  it('adds the settings to the options in the URL', () => {
    const url = 'postgres://127.0.0.1/pets?application_name=a?b&options=-c%20search_path%3Dshelter'
    const config = createClientConfig(url, { statement_timeout: 2_200 })
    assert.deepEqual(config, {
      connectionString: 'postgres://127.0.0.1/pets?application_name=a%3Fb',
      options: '-c search_path=shelter -c statement_timeout=2200',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
  })
})

describe('isSettingsRejection', () => {
  for (const [server, message] of [
    ['PgBouncer', 'unsupported startup parameter: options'],
    ['RDS Proxy', 'Feature not supported: RDS Proxy currently doesn’t support command-line options.'],
    ['PostgreSQL 13', 'unrecognized configuration parameter "client_connection_check_interval"'],
    ['PostgreSQL on Windows', 'invalid value for parameter "client_connection_check_interval": 5000'],
  ])
    it(`recognizes the error from ${server}`, () => assert.ok(isSettingsRejection(new Error(message))))

  it('does not recognize other errors', () => {
    const message = 'unrecognized configuration parameter "search_pat"'
    assert.ok(!isSettingsRejection(new Error(message)))
  })
})
