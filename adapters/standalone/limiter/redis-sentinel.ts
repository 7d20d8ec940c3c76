import { explain } from '../errors.ts'
import type { Credentials, HostPort, RedisAddress } from './redis-address.ts'
import type { RedisConnection, RedisDriver } from './redis-driver.ts'
import { causeOf, isConfiguration } from './redis-problem.ts'
import { openServer, type RedisServer, toError } from './redis-server.ts'

type SentinelAddress = Extract<RedisAddress, { kind: 'sentinel' }>

/**
 * Connects to the master that Sentinels name. Every refresh asks one of them, and the next one where it does not
 * respond; so a failover is followed within about a second after the Sentinels have agreed on it.
 */
export function connectSentinel(driver: RedisDriver, address: SentinelAddress): RedisConnection {
  const { sentinels, master, credentials, sentinelCredentials, tls } = address
  /** The Sentinels that have been asked. */
  const asked = new Map<HostPort, RedisServer>()
  let preferred = 0
  let current: { readonly name: string; readonly server: RedisServer } | undefined
  let problem: Error | undefined
  let isClosed = false

  function open(name: string, { host, port }: HostPort, own: Credentials): RedisServer {
    return openServer(driver, name, { ...own, socket: { host, port, ...(tls && { tls }) } })
  }

  async function askSentinel(place: HostPort): Promise<HostPort> {
    const name = `Sentinel ${place.host}:${place.port}`
    const sentinel = asked.get(place) ?? open(name, place, sentinelCredentials)
    asked.set(place, sentinel)
    const reply = await sentinel.ask(['SENTINEL', 'get-master-addr-by-name', master])
    if (!Array.isArray(reply)) throw new Error(`${name} knows no master of the name ${master}`)
    return { host: String(reply[0]), port: Number(reply[1]) }
  }

  /** Asks the Sentinels in turn. Throws what waiting may repair where any of them fails by such a cause. */
  async function findMaster(): Promise<HostPort> {
    const errors: Error[] = []
    for (const sentinel of [...sentinels.slice(preferred), ...sentinels.slice(0, preferred)]) {
      if (isClosed) break
      try {
        const found = await askSentinel(sentinel)
        preferred = sentinels.indexOf(sentinel)
        return found
      } catch (error) {
        errors.push(new Error(`no Sentinel names a master: ${explain(error, false)}`))
      }
    }
    throw (
      errors.find((error) => !isConfiguration(error)) ?? errors[0] ?? new Error('the connection is closed')
    )
  }

  function use(place: HostPort): RedisServer | undefined {
    const name = `${place.host}:${place.port}`
    if (isClosed || current?.name === name) return current?.server
    current?.server.close()
    const server = open(name, place, credentials)
    current = { name, server }
    return server
  }

  async function refresh(): Promise<Error | undefined> {
    const found = await findMaster().catch(toError)
    const server = found instanceof Error ? current?.server : use(found)
    if (!server) return found instanceof Error ? found : undefined
    const failure = await server.check()
    // Another Sentinel may know of a new master.
    if (failure) preferred = (preferred + 1) % sentinels.length
    return failure
  }

  return {
    async send(args) {
      if (!current) throw problem ?? new Error('the client is offline: no Sentinel has named a master yet')
      const used = current
      try {
        return await used.server.send(args)
      } catch (error) {
        if (causeOf(error) === 'replica' && current === used) {
          used.server.close()
          current = undefined
        }
        throw error
      }
    },
    async refresh() {
      problem = await refresh()
      return problem
    },
    close() {
      isClosed = true
      current?.server.close()
      for (const sentinel of asked.values()) sentinel.close()
    },
  }
}
