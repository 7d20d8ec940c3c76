/** Maximum time that the first caller waits for the others, in milliseconds. Some connections may never open. */
const maxWaitMs = 1000

/** Creates a barrier for `count` callers. The callers' promises resolve together when the last caller has arrived. */
export function createBarrier(count: number): () => Promise<void> {
  let calls = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let open = (): void => {}
  const barrierOpened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    calls += 1
    timer ??= setTimeout(open, maxWaitMs)
    if (calls === count) {
      clearTimeout(timer)
      open()
    }
    return barrierOpened
  }
}
