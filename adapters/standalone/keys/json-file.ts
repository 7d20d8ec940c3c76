/**
 * Parses a file's text, with or without a byte order mark. Throws a `SyntaxError` that names the line where it stops
 * being JSON, and repeats nothing of the text: it may hold a secret.
 */
export function parseJsonFile(text: string): unknown {
  const bare = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(bare)
  } catch {
    throw new SyntaxError(
      isUnfinished(bare) ? 'it ends before its JSON does' : `line ${faultyLine(bare)} is not JSON`,
    )
  }
}

/** The first line that makes a text more than unfinished. */
function faultyLine(text: string): number {
  const ends = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) ends.push(end + 1)
  let [good, bad] = [0, ends.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUnfinished(text.slice(0, ends[middle]))) good = middle
    else bad = middle
  }
  return bad
}

/** Whether a text may become JSON if it goes on: the engine finds its fault at the very end. */
function isUnfinished(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? []
    return position === undefined ? /end of JSON input/.test(String(error)) : Number(position) >= text.length
  }
}
