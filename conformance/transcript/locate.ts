import type { JsonPath } from './place.ts'

/** A part of a text, from its first character to the one behind its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Where a value is, or its nearest parent if there is no such value. */
export interface Location extends Span {
  readonly isExact: boolean
}

/** An array or an object that is open, and the index or the name of the value that comes next. */
interface Open {
  readonly start: number
  readonly isList: boolean
  key: string | number
}

const between = /[\s,:]*/y
const word = /[^\s,:{}[\]"]+/y

/**
 * Returns where a value is in a JSON text; if there is none, where its nearest parent is. Of members with one name, the
 * last counts. The text must be JSON. Takes time linear in the text.
 */
export function locate(text: string, path: JsonPath): Location | undefined {
  if (path.length === 0) return { ...trimmed(text), isExact: true }
  const open: Open[] = []
  /** The values on the path, by their depth. */
  const found: Span[] = []
  const isOnPath = (): boolean =>
    open.length <= path.length && open.every(({ key }, depth) => key === path[depth])
  /** Whether the element of the outermost array that is on the path is complete: no later one has its index. */
  let isDone = false
  const complete = (start: number, end: number): void => {
    if (isOnPath()) {
      found[open.length] = { start, end }
      isDone = open.length === 1 && typeof path[0] === 'number'
    }
    const parent = open.at(-1)
    if (typeof parent?.key === 'number') parent.key += 1
  }
  /** Whether the next string is the name of a member. */
  let isName = false
  for (let at = endOf(between, text, 0); at < text.length && !isDone; at = endOf(between, text, at)) {
    const start = at
    const parent = open.at(-1)
    const character = text[at]
    at = character === '"' ? endOfString(text, at) : Math.max(at + 1, endOf(word, text, at))
    if (character === '{' || character === '[') {
      if (isOnPath()) found.length = Math.min(found.length, open.length)
      const isList = character === '['
      open.push({ start, isList, key: isList ? 0 : '' })
      isName = !isList
    } else if (isName && character === '"' && parent !== undefined) {
      parent.key = JSON.parse(text.slice(start, at))
      isName = false
    } else {
      const closed = character === '}' || character === ']' ? open.pop() : undefined
      if (closed === undefined && isOnPath()) found.length = Math.min(found.length, open.length)
      complete(closed?.start ?? start, at)
      isName = open.at(-1)?.isList === false
    }
  }
  const nearest = found.at(-1)
  return nearest && { ...nearest, isExact: found.length > path.length }
}

function trimmed(text: string): Span {
  return { start: text.length - text.trimStart().length, end: text.trimEnd().length }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Returns the end of the string that begins at an index: behind the first quotation mark after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
  return text.length
}
