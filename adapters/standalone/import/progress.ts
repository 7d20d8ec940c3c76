import type { Writable } from 'node:stream'

const width = 30

export interface Progress {
  /** Hands the chunks on, and shows how far they have come. */
  watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** Takes the bar away. */
  end(): void
}

/** A bar on a terminal, of `size` bytes; nothing elsewhere. It is drawn again at each percent. */
export function createProgress(output: Writable & { isTTY?: boolean }, size: number): Progress {
  let shown = -1
  function show(done: number): void {
    const percent = size === 0 ? 100 : Math.floor((done / size) * 100)
    if (!output.isTTY || percent === shown) return
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
