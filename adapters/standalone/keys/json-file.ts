/**
 * Parses the text of a JSON file, with or without a byte order mark. Throws a `SyntaxError` that names the first line
 * that is not JSON. The message contains nothing of the text, which may have a secret.
 */
export function parseJsonFile(text: string): unknown {
  const bare = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(bare)
  } catch {
    throw new SyntaxError(
      isUnfinished(bare) ? 'it ends before its JSON does' : `line ${firstBadLine(bare)} is not JSON`,
    )
  }
}

/** Returns the number of the first line after which no further text can complete the JSON. */
function firstBadLine(text: string): number {
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

/** Whether more text can complete a text to JSON: the engine finds the error at its end. */
function isUnfinished(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? []
    return position === undefined ? /end of JSON input/.test(String(error)) : Number(position) >= text.length
  }
}
