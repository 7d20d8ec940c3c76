/** Collects chunks in one buffer. An array of chunks would need 400 more bytes for each. */
export class GrowingBuffer {
  chunkCount = 0
  byteLength = 0
  private bytes: Buffer = Buffer.alloc(0)

  /** Appends a chunk. The first chunk is stored without a copy. */
  append(chunk: Buffer): void {
    const start = this.byteLength
    this.chunkCount++
    this.byteLength += chunk.length
    if (start === 0) {
      this.bytes = chunk
      return
    }
    if (this.bytes.length < this.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(1_024, 2 * this.byteLength))
      this.bytes.copy(larger, 0, 0, start)
      this.bytes = larger
    }
    chunk.copy(this.bytes, start)
  }

  /** Returns all appended bytes without copying them. */
  take(): Buffer {
    return this.bytes.subarray(0, this.byteLength)
  }
}
