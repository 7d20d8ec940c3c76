import type { Writable } from 'node:stream'

const width = 30

export interface Progress {
  /** Yields the chunks unchanged, and shows how many of the bytes have been read. */
  watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** Removes the bar. */
  end(): void
}

/** Creates a progress bar of `size` bytes, drawn at each percent. It appears on a terminal only, and only if the size is known. */
export function createProgress(output: Writable & { isTTY?: boolean }, size: number | undefined): Progress {
  let shown = -1
  function show(done: number): void {
    if (!output.isTTY || size === undefined) return
    const percent = size === 0 ? 100 : Math.floor((done / size) * 100)
    if (percent === shown) return
    shown = percent
    const filled = Math.floor((percent / 100) * width)
    output.write(`\r[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(percent).padStart(3)} %`)
  }
  return {
    async *watch(chunks) {
      let done = 0
      show(0)
      for await (const chunk of chunks) {
        yield chunk
        done += chunk.length
        show(done)
      }
    },
    end() {
      if (shown >= 0) output.write('\r\x1b[K')
    },
  }
}
