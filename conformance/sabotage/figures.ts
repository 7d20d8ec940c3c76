/** How thoroughly the suite is tried: each number is counted anew by the tests. */
export const figures = {
  rules: 88,
  /** Deployments that break one rule each, and no rule beside it but those that they cannot help breaking. */
  broken: 175,
  /** Deployments that use a freedom of the spec; none is accused. */
  legal: 103,
  /** Servers that are no deployment at all. */
  degenerate: 35,
  /** Ways to falsify an answer of a saved transcript. */
  mutations: 30,
  /** The falsified transcripts. */
  mutants: 1721,
  /** Those that at least one rule objects to; the others show what the spec leaves open. */
  noticed: 1288,
} as const

/** The rules that object to each mutation, family by family. */
export const objections: Readonly<Record<string, string>> = {
  'change the status': 'AUTH 1-12, ERR 1-3 6, LIST 1 3 8-14 16-17, GET 1 4-7, CREATE 1 4-5 7 9-24, RATE 9 13',
  'drop a header': 'AUTH 10, ERR 4, LIST 2, GET 10, CREATE 25, RATE 1-3 10-11',
  'change the content type': 'ERR 4, LIST 2, GET 10, CREATE 25',
  'make the limit 0': 'RATE 5 8',
  'make the limit a word': 'RATE 4',
  'make what remains large': 'RATE 5',
  'freeze what remains': 'RATE 5 7 12 14',
  'make the reset a span': 'RATE 6',
  'make the wait a word': 'RATE 10',
  'postpone the sunset': 'GET 8',
  'put the deprecation in a word': 'GET 9',
  'rename a field': 'ERR 1-3, LIST 4 15, GET 1, CREATE 2',
  'retype a field': 'ERR 1-3, LIST 4-5 12-16, GET 1, CREATE 2-5 21-22',
  'make a field null': 'ERR 1-3, LIST 4-5 15, GET 1, CREATE 2-5 21-22',
  'change a text': 'LIST 5 12-14 16, GET 1 3, CREATE 3-5 22 26',
  'empty a text': 'ERR 5, LIST 5 12-14 16, GET 1 3, CREATE 3-5 22 26',
  'change the last digit of an integer': 'ERR 3, LIST 15, GET 2-3, CREATE 3 6-7 21 26',
  'push an integer beyond int64': 'ERR 3, LIST 4 15, GET 1, CREATE 2-3 21',
  'change the status of an animal': 'LIST 12-14 16, CREATE 4',
  'empty a page': 'LIST 7 15 19, CREATE 8',
  'take the first animal off a page': 'LIST 7 15',
  'list an animal twice': 'LIST 6-8 16 18',
  'add an animal to a page': 'LIST 6-8 16',
  'add a hundred animals to a page': 'LIST 6-9 16',
  'reverse a page': '',
  'wrap the body': 'ERR 1-3, LIST 3, GET 1, CREATE 2',
  'cut the body off': 'ERR 1-3, LIST 3, GET 1, CREATE 2',
  'spoil the encoding': 'ERR 1-3, LIST 3, GET 1, CREATE 2',
  'move the base address': 'VER 1',
  'swap two neighbouring answers':
    'AUTH 7 11, LIST 1 3 6-9 12-16 19, GET 1 4-6, CREATE 1-4 6-9 20-22, RATE 8',
}
