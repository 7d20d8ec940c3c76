import { Writable } from 'node:stream'

/** Keeps the text that is written to it, and waits for some of it. */
export class Capture extends Writable {
  text = ''
  readonly #waiting = new Set<() => void>()

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk
    done()
    for (const look of this.#waiting) look()
  }

  override _final(done: () => void): void {
    done()
    setImmediate(() => {
      for (const look of this.#waiting) look()
    })
  }

  /** Resolves once the text matches; rejects when it has ended without. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.text)
        if (!found && !this.writableEnded) return
        this.#waiting.delete(look)
        if (found) resolve(found)
        else reject(new Error(`${pattern} does not match:\n${this.text}`))
      }
      this.#waiting.add(look)
      look()
    })
  }

  /** The whole lines so far. */
  get lines(): readonly string[] {
    return this.text.split('\n').slice(0, -1)
  }
}
