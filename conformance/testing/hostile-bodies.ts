/** Returns a whole number from 0 to below a bound. */
export type Draw = (below: number) => number

/** A linear congruential generator: the same seed returns the same numbers, so that a slow body can be reproduced. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Maximum number of bytes of a body that the suite reads. */
const mostBytes = 1024 * 1024

const pet = (id: string, name = 'Ada'): string =>
  `{"id":${id},"name":"${name}","categoryId":1,"status":"sold"}`
const drawLength = (draw: Draw, max: number): number => 1 + draw(max)

/** Returns bodies that are expensive to read, by a description. Twice the size makes each body twice as long. */
export function hostileBodies(
  maxBytes: number = mostBytes,
): Readonly<Record<string, (draw: Draw, key: string) => string | Uint8Array<ArrayBuffer>>> {
  const repeated = (part: string, size: number = maxBytes): string =>
    part.repeat(Math.ceil(size / part.length)).slice(0, size)
  const createList = (element: string, size: number = maxBytes): string =>
    `[${element}${`,${element}`.repeat(Math.max(0, Math.floor(size / (element.length + 1)) - 2))}]`
  return {
    'an id with zeros between its first and last digit': (draw) =>
      `[${pet(`1${'0'.repeat(drawLength(draw, maxBytes - 100))}1`)}]`,
    'an id of random digits': (draw) =>
      `[${pet(`7${Array.from({ length: drawLength(draw, maxBytes / 2) }, () => draw(10)).join('')}`)}]`,
    'a huge exponent': (draw) => `[${pet(`1e${'9'.repeat(drawLength(draw, maxBytes - 100))}`)}]`,
    'empty objects': () => createList('{}'),
    'pets with one id': () => createList(pet('7')),
    'pets with different ids': () =>
      `[${Array.from({ length: maxBytes / 52 }, (_, n) => `{"id":${n},"name":"a","categoryId":1}`).join(',')}]`,
    'arrays in arrays': (draw) => {
      const depth = drawLength(draw, maxBytes / 2)
      return '['.repeat(depth) + ']'.repeat(depth)
    },
    'many members': () => `{${Array.from({ length: maxBytes / 13 }, (_, n) => `"m${n}":${n}`).join(',')}}`,
    'one member repeated': () => `{${repeated('"code":1,')}"code":"x"}`,
    'a name of escapes': () => `[${pet('7', repeated('\\u0041', maxBytes - 102))}]`,
    'an Error with long members': () =>
      `{"code":"${repeated('c', maxBytes / 2)}","message":"${repeated('::', maxBytes / 3)}","status":400}`,
    'colons at the start of lines': () => repeated('::add-mask::x\n'),
    'characters that XML and HTML escape': () => repeated('<&>"\''),
    'bytes that are not UTF-8': (draw) => Uint8Array.from({ length: maxBytes }, () => draw(256)),
    'the key, repeated': (_, key) => repeated(`${key} `),
    'the first eleven characters of the key, repeated': (_, key) => repeated(`${key.slice(0, 11)}.`),
    'fragments of the key': (draw, key) =>
      Array.from({ length: maxBytes / 9 }, () => key.slice(draw(key.length - 6)).slice(0, 6)).join('!'),
    'random characters of JSON': (draw) =>
      Array.from({ length: maxBytes / 4 }, () => '[]{},:"\\u0 1e-.tfn'[draw(18)]).join(''),
    'objects in objects': (draw) => {
      const depth = drawLength(draw, maxBytes / 6)
      return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    },
    'white space': () => repeated(' \n\t'),
    'percent signs': () => repeated('%'),
    backslashes: () => repeated('\\'),
    'hexadecimal digits': () => repeated('0123456789abcdef'),
    'random base64': (draw) =>
      btoa(String.fromCharCode(...Array.from({ length: maxBytes / 17 }, () => draw(256)))).repeat(12),
    'a name of quotes': () => `[${pet('7', repeated('\\"', maxBytes - 100))}]`,
  }
}
