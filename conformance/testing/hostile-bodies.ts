/** Returns a whole number from 0 to `below` - 1. */
export type Draw = (below: number) => number

/** Creates a source of numbers that repeats itself for the same seed. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Maximum size of a body that the suite reads, in bytes. */
const maxBodyBytes = 1024 * 1024

const writePet = (id: string, name = 'Ada'): string =>
  `{"id":${id},"name":"${name}","categoryId":1,"status":"sold"}`
const drawLength = (draw: Draw, max: number): number => 1 + draw(max)

/** Creates bodies that are expensive to read, judge or print. The length of each body grows linearly with `maxBytes`, its maximum. */
export function createHostileBodies(
  maxBytes: number = maxBodyBytes,
): Readonly<Record<string, (draw: Draw, key: string) => string | Uint8Array<ArrayBuffer>>> {
  const repeatPart = (part: string, size: number = maxBytes): string =>
    part.repeat(Math.ceil(size / part.length)).slice(0, size)
  const createList = (element: string, size: number = maxBytes): string =>
    `[${element}${`,${element}`.repeat(Math.max(0, Math.floor(size / (element.length + 1)) - 2))}]`
  return {
    'an ID with zeros between its first and last digit': (draw) =>
      `[${writePet(`1${'0'.repeat(drawLength(draw, maxBytes - 100))}1`)}]`,
    'an ID with random digits': (draw) =>
      `[${writePet(`7${Array.from({ length: drawLength(draw, maxBytes / 2) }, () => draw(10)).join('')}`)}]`,
    'a huge exponent': (draw) => `[${writePet(`1e${'9'.repeat(drawLength(draw, maxBytes - 100))}`)}]`,
    'empty objects': () => createList('{}'),
    'pets with one ID': () => createList(writePet('7')),
    'pets with different IDs': () =>
      `[${Array.from({ length: maxBytes / 52 }, (_, n) => `{"id":${n},"name":"a","categoryId":1}`).join(',')}]`,
    'arrays in arrays': (draw) => {
      const depth = drawLength(draw, maxBytes / 2)
      return '['.repeat(depth) + ']'.repeat(depth)
    },
    'many members': () => `{${Array.from({ length: maxBytes / 13 }, (_, n) => `"m${n}":${n}`).join(',')}}`,
    'one member repeated': () => `{${repeatPart('"code":1,')}"code":"x"}`,
    'a name with many escapes': () => `[${writePet('7', repeatPart('\\u0041', maxBytes - 102))}]`,
    'an Error with long members': () =>
      `{"code":"${repeatPart('c', maxBytes / 2)}","message":"${repeatPart('::', maxBytes / 3)}","status":400}`,
    'colons at the start of lines': () => repeatPart('::add-mask::x\n'),
    'characters that XML and HTML escape': () => repeatPart('<&>"\''),
    'bytes that are not UTF-8': (draw) => Uint8Array.from({ length: maxBytes }, () => draw(256)),
    'the key, repeated': (_, key) => repeatPart(`${key} `),
    'the first eleven characters of the key, repeated': (_, key) => repeatPart(`${key.slice(0, 11)}.`),
    'key fragments': (draw, key) =>
      Array.from({ length: maxBytes / 9 }, () => key.slice(draw(key.length - 6)).slice(0, 6)).join('!'),
    'random JSON characters': (draw) =>
      Array.from({ length: maxBytes / 4 }, () => '[]{},:"\\u0 1e-.tfn'[draw(18)]).join(''),
    'objects in objects': (draw) => {
      const depth = drawLength(draw, maxBytes / 6)
      return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    },
    'white space': () => repeatPart(' \n\t'),
    'percent signs': () => repeatPart('%'),
    backslashes: () => repeatPart('\\'),
    'hexadecimal digits': () => repeatPart('0123456789abcdef'),
    'random base64': (draw) =>
      btoa(String.fromCharCode(...Array.from({ length: maxBytes / 17 }, () => draw(256)))).repeat(12),
    'a name with many quotes': () => `[${writePet('7', repeatPart('\\"', maxBytes - 100))}]`,
  }
}
