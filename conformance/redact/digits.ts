/** Returns the value of a hexadecimal digit; 16 for every other character. */
export function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 16
}

/** Returns where the digits that start at a place end. No more than `most` of them count. */
export function endOfDigits(text: string, start: number, most: number, radix: number): number {
  const last = Math.min(text.length, start + most)
  let at = start
  while (at < last && digitOf(text.charCodeAt(at)) < radix) at += 1
  return at
}

/** Returns the number that the digits from `start` to before `end` stand for. */
export function numberAt(text: string, start: number, end: number, radix: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = value * radix + digitOf(text.charCodeAt(at))
  return value
}
