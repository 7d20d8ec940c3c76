/** What has to be ended or removed, whatever happens. */
export interface Endings {
  /** Adds something. The last one ends first. */
  add(end: () => void | Promise<void>): void
}

/** The signals that end a run, with the exit codes that shells give them. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const

/** Runs a measurement. Everything that it adds is ended once: after it, when it fails, and on SIGINT and SIGTERM. */
export async function withEndings<T>(run: (endings: Endings) => Promise<T>): Promise<T> {
  const ends: (() => void | Promise<void>)[] = []
  let ending: Promise<void> | undefined

  async function endAll(): Promise<void> {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }

  const listeners = Object.entries(signals).map(([signal, code]) => {
    const listener = () => {
      ending ??= endAll().finally(() => process.exit(code))
    }
    process.on(signal, listener)
    return [signal, listener] as const
  })
  try {
    return await run({ add: (end) => ends.push(end) })
  } finally {
    // After a signal the measurement fails, because its parts end. Its error does not matter: the process exits.
    ending ??= endAll()
    await ending
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}
