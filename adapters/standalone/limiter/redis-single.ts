import { causeOf } from './redis-problem.ts'
import { openServer, type RedisConnection, type RedisDriver } from './redis-server.ts'

/**
 * Connects to one Redis. Where its address leads to a replica after a failover, the connection is made again, so that
 * the name is resolved anew.
 */
export function connectSingle(driver: RedisDriver, url: string): RedisConnection {
  const name = new URL(url).host
  let server = openServer(driver, name, { url })
  let isClosed = false

  return {
    send: (args) => server.send(args),
    async refresh() {
      const used = server
      const problem = (await used.check()) ?? (await clusterProblem(used, name))
      if (problem && causeOf(problem) === 'replica' && !isClosed) {
        used.close()
        server = openServer(driver, name, { url })
      }
      return problem
    },
    close() {
      isClosed = true
      server.close()
    },
  }
}

async function clusterProblem(
  server: ReturnType<typeof openServer>,
  name: string,
): Promise<Error | undefined> {
  const info = await server.ask(['INFO', 'cluster']).catch(() => '')
  return /cluster_enabled:1/.test(String(info))
    ? new Error(`${name} is in cluster mode: give its address as redis+cluster://${name}`)
    : undefined
}
