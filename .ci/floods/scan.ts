/** Returns a function that counts a string in a stream of chunks, also across chunks. */
export function countOf(text: string): (chunk: Buffer) => number {
  const { length } = text
  let rest = ''
  return (chunk) => {
    const seen = rest + chunk.toString('latin1')
    rest = seen.slice(seen.length - length + 1)
    return seen.split(text).length - 1
  }
}
