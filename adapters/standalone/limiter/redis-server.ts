import { setTimeout as after } from 'node:timers/promises'

/** The part of the driver redis that is used here. */
export interface RedisDriver {
  createClient(options: object): RedisDriverClient
}

export interface RedisDriverClient {
  connect(): Promise<unknown>
  destroy(): void
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', listener: (cause: Error) => void): unknown
  on(event: 'ready', listener: () => void): unknown
}

/** A Redis, a cluster, or the master that Sentinel names. */
export interface RedisConnection {
  /** Sends a command to the server that has its key. */
  send(args: readonly string[], key: string): Promise<unknown>
  /** Returns the same number for all keys of one server. */
  shardOf(key: string): number
  /** Looks for the servers that count at present, and checks them. Resolves with why one of them does not count; never rejects. */
  refresh(): Promise<Error | undefined>
  close(): void
}

/** The connection to one server, which is made again whenever it is lost. */
export interface RedisServer {
  send(args: readonly string[]): Promise<unknown>
  /** Sends a command once the server is connected. Rejects after a second without a response. */
  ask(args: readonly string[]): Promise<unknown>
  /** Resolves with why this server does not count; undefined where it does. Never rejects. */
  check(): Promise<Error | undefined>
  close(): void
}

/** How long a question to a server may take, in milliseconds. */
const answerMs = 1_000

/** The longest pause between two attempts to connect again, in milliseconds. */
const longestPauseMs = 500

/** The most commands that wait for a response. A silent server gets no more. */
const maxUnanswered = 2_000

/** Connects to a server. `name` is its address without credentials, and `options` are those of the driver. */
export function openServer(
  { createClient }: RedisDriver,
  name: string,
  options: object,
  isOfCluster: boolean,
): RedisServer {
  const { socket = {} } = options as { socket?: object } // ours, or absent
  const client = createClient({
    ...options,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxUnanswered,
    socket: {
      ...socket,
      connectTimeout: 2_000,
      reconnectStrategy: (attempts: number) => Math.min(50 * 2 ** attempts, longestPauseMs),
    },
  })
  let connectionError: Error | undefined
  let settle = () => {}
  /** Fulfills at the first connection or the first error. */
  const opened = new Promise<void>((resolve) => {
    settle = resolve
  })
  client.on('error', (cause) => {
    connectionError = cause
    settle()
  })
  client.on('ready', () => {
    connectionError = undefined
    settle()
  })
  client.connect().catch((cause: Error) => {
    connectionError ??= cause
    settle()
  })

  async function send(args: readonly string[]): Promise<unknown> {
    try {
      return await client.sendCommand(args)
    } catch (error) {
      throw (isOffline(error) && connectionError) || error
    }
  }

  function ask(args: readonly string[]): Promise<unknown> {
    return Promise.race([
      opened.then(() => send(args)),
      after(answerMs, undefined, { ref: false }).then(() => {
        throw new Error(`${name} did not respond within ${answerMs} ms`)
      }),
    ])
  }

  return {
    send,
    ask,
    async check() {
      try {
        const problem = problemOf(await ask(['ROLE']), name)
        if (problem) return problem
      } catch (error) {
        // A role that may not be asked for is no reason not to count.
        if (!/NOPERM|unknown command/i.test(String(error))) return toError(error)
      }
      const info = isOfCluster ? '' : await ask(['INFO', 'cluster']).catch(() => '')
      return /cluster_enabled:1/.test(String(info))
        ? new Error(`${name} is in cluster mode: give its address as redis+cluster://${name}`)
        : undefined
    },
    close: () => client.destroy(),
  }
}

/** Returns why a server of a role cannot count. */
function problemOf(role: unknown, name: string): Error | undefined {
  const [kind, host, port] = Array.isArray(role) ? role.map(String) : []
  if (kind === 'slave')
    return new Error(
      `${name} is a replica of ${host}:${port}, which cannot count: give the address of the master, or of the Sentinels as redis+sentinel://HOST:PORT,HOST:PORT/MASTER`,
    )
  if (kind === 'sentinel')
    return new Error(`${name} is a Sentinel: give its address as redis+sentinel://HOST:PORT,HOST:PORT/MASTER`)
  return undefined
}

/** Whether an error says no more than that there is no connection. */
function isOffline(cause: unknown): boolean {
  return /client is offline|client is closed/i.test(String(cause))
}

export function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
