import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { StartError } from '../errors.ts'

/** The options of `listen`, with one that the types of Node 20 do not have. */
type PortOptions = { readonly host: string; readonly port: number; readonly reusePort: true }

/**
 * Checks that two servers can listen on one port of this system and runtime: some refuse the option, others ignore it, so that
 * only the second process would fail. Rejects with `StartError`.
 */
export async function checkReusePort(): Promise<void> {
  const servers: Server[] = []
  try {
    const [first, second] = [createServer(), createServer()]
    servers.push(first, second)
    const port = await portOf(first, 0)
    await portOf(second, port)
  } catch (cause) {
    throw new StartError(
      '--reuse-port does not work here: it requires Linux, and Node 22.12 or later or Deno. Start each process with a --port of its own behind a proxy, or let systemd hold the sockets (LISTEN_FDS)',
      { cause },
    )
  } finally {
    for (const server of servers) server.close()
  }
}

async function portOf(server: Server, port: number): Promise<number> {
  const options: PortOptions = { host: '127.0.0.1', port, reusePort: true }
  server.listen(options)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
