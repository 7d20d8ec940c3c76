import { Writable } from 'node:stream'

/** A writable stream that stores everything written to it. */
export class Capture extends Writable {
  text = ''
  readonly #waiting = new Set<() => void>()

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk
    done()
    for (const check of this.#waiting) check()
  }

  override _final(done: () => void): void {
    done()
    setImmediate(() => {
      for (const check of this.#waiting) check()
    })
  }

  /** Waits until the text matches. Rejects if the stream ends without a match. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = pattern.exec(this.text)
        if (!found && !this.writableEnded) return
        this.#waiting.delete(check)
        if (found) resolve(found)
        else reject(new Error(`${pattern} does not match:\n${this.text}`))
      }
      this.#waiting.add(check)
      check()
    })
  }

  /** Complete lines. */
  get lines(): readonly string[] {
    return this.text.split('\n').slice(0, -1)
  }
}
