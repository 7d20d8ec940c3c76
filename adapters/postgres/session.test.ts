import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClientConfig } from './session.ts'

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
