/** Draws whole numbers below a bound; the same ones for the same seed. */
export type Draw = (below: number) => number

/** A linear congruential generator: what matters is that a slow body can be made again. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What the suite reads of a body, in bytes. */
const full = 1024 * 1024

const filled = (part: string, size: number = full): string =>
  part.repeat(Math.ceil(size / part.length)).slice(0, size)
const list = (element: string, size: number = full): string =>
  `[${element}${`,${element}`.repeat(Math.max(0, Math.floor(size / (element.length + 1)) - 2))}]`
const pet = (id: string, name = 'Ada'): string =>
  `{"id":${id},"name":"${name}","categoryId":1,"status":"sold"}`
const ofLength = (draw: Draw, most: number): number => 1 + draw(most)

/** Bodies made to cost what reads them more than they cost whoever sends them, by what they are made of. */
export const nastyBodies: Readonly<
  Record<string, (draw: Draw, key: string) => string | Uint8Array<ArrayBuffer>>
> = {
  'an id with zeros between its first and its last digit': (draw) =>
    `[${pet(`1${'0'.repeat(ofLength(draw, full - 100))}1`)}]`,
  'an id that ends with zeros': (draw) => `[${pet(`1${'0'.repeat(ofLength(draw, full - 100))}`)}]`,
  'an id of random digits': (draw) =>
    `[${pet(`7${Array.from({ length: ofLength(draw, 500_000) }, () => draw(10)).join('')}`)}]`,
  'a huge exponent': (draw) => `[${pet(`1e${'9'.repeat(ofLength(draw, full - 100))}`)}]`,
  'a long fraction': (draw) => `[${pet(`1.${'0'.repeat(ofLength(draw, full - 100))}`)}]`,
  'many numbers': () => list('1e1'),
  'empty objects': () => list('{}'),
  'empty objects, 3.9 MB of them': () => list('{}', 3.9 * full),
  'objects with a member': () => list('{"a":1}'),
  'empty arrays': () => list('[]'),
  'pets with one id': () => list(pet('7')),
  'pets with ids of their own': () =>
    `[${Array.from({ length: 20_000 }, (_, n) => `{"id":${n},"name":"a","categoryId":1}`).join(',')}]`,
  'pets with another status each': () =>
    `[${Array.from({ length: 18_000 }, (_, n) => `{"id":${n},"name":"","categoryId":1,"status":"${n}"}`).join(',')}]`,
  'arrays in arrays': (draw) => {
    const depth = ofLength(draw, full / 2)
    return '['.repeat(depth) + ']'.repeat(depth)
  },
  'arrays that are not closed': () => filled('['),
  'objects in objects': (draw) => {
    const depth = ofLength(draw, full / 6)
    return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  },
  'many members': () => `{${Array.from({ length: 80_000 }, (_, n) => `"m${n}":${n}`).join(',')}}`,
  'one member over and over': () => `{${filled('"code":1,')}"code":"x"}`,
  'a long name': (draw) => `[${pet('7', filled('n', ofLength(draw, full - 100)))}]`,
  'a name of escapes': () => `[${pet('7', filled('\\u0041', full - 102))}]`,
  'a name of line feeds': () => `[${pet('7', filled('\\n', full - 100))}]`,
  'a name of quotes': () => `[${pet('7', filled('\\"', full - 100))}]`,
  'an Error with long members': () =>
    `{"code":"${filled('c', full / 2)}","message":"${filled('::', full / 3)}","status":400}`,
  'a string that is not closed': () => `["${filled('\\\\', full - 10)}`,
  'white space': () => filled(' \n\t'),
  'colons at the start of lines': () => filled('::add-mask::x\n'),
  'commands of logs': () => filled('##[a]'),
  'control characters': () => filled('\u001b[2J\u0007'),
  'characters that XML and HTML escape': () => filled('<&>"\''),
  'bytes that are no UTF-8': (draw) => Uint8Array.from({ length: full }, () => draw(256)),
  'the first byte of a character, over and over': () => new Uint8Array(full).fill(0xe3),
  'letters beyond the basic plane': () => filled('𠮷', full / 2),
  'percent signs': () => filled('%'),
  'percent signs, encoded again and again': () => `%${filled('25')}`.slice(0, full),
  backslashes: () => filled('\\'),
  'character references': () => filled('&#112;'),
  'character references, escaped again and again': () => `&${filled('amp;')}`.slice(0, full),
  ampersands: () => filled('&'),
  'hexadecimal digits': () => filled('0123456789abcdef'),
  'random base64': (draw) =>
    btoa(String.fromCharCode(...Array.from({ length: 60_000 }, () => draw(256)))).repeat(12),
  'decimal bytes': () => filled('112,97,116,'),
  'the key over and over': (_, key) => filled(`${key} `),
  'the first eleven characters of the key over and over': (_, key) => filled(`${key.slice(0, 11)}.`),
  'parts of the key in pieces': (draw, key) =>
    Array.from({ length: 120_000 }, () => key.slice(draw(key.length - 6)).slice(0, 6)).join('!'),
  'the key in hexadecimal over and over': (_, key) => filled(Buffer.from(key).toString('hex').slice(0, 22)),
  'the key as an array of bytes': (_, key) => list(JSON.stringify(Buffer.from(key))),
  'random characters of JSON': (draw) =>
    Array.from({ length: full / 4 }, () => '[]{},:"\\u0 1e-.tfn'[draw(18)]).join(''),
}
