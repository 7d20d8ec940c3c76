// Written by print-figures.ts.

/** How thoroughly the suite is tried. */
export const figures = {
  rules: 99,
  /** Deployments that break a rule. */
  broken: 233,
  /** Deployments that differ from the reference in a way that the spec allows. */
  legal: 122,
  /** Servers that are not a deployment of the interface. */
  degenerate: 35,
  /** Ways to falsify a transcript. */
  mutations: 31,
  /** Falsified transcripts. */
  mutants: 2088,
  /** Falsified transcripts that break at least one rule; the others differ in what the spec leaves open. */
  detected: 1545,
} as const

/** The rules that detect each mutation, family by family. */
export const detectedBy: Readonly<Record<string, string>> = {
  'change the status':
    'AUTH 1-16, ERR 1-3 6-7, LIST 1 3 8-14 16-17 20, GET 1 4-7 11, CREATE 1 4-5 7 9-24 27-28, RATE 9 13 16',
  'drop a header': 'AUTH 10, ERR 4, LIST 2, GET 10, CREATE 25, RATE 1-3 10-11',
  'change the content type': 'ERR 4, LIST 2, GET 10, CREATE 25',
  'make the limit 0': 'RATE 5 8',
  'make the limit a word': 'RATE 4',
  'make the remaining requests exceed the limit': 'RATE 5 16',
  'freeze the remaining requests': 'RATE 5 7 12 14 16',
  'make the reset a number of seconds': 'RATE 6 15',
  'make Retry-After milliseconds': 'RATE 15',
  'make Retry-After a word': 'RATE 10',
  'postpone the Sunset date': 'GET 8',
  'make Deprecation a word': 'GET 9',
  'rename a field': 'ERR 1-3, LIST 4 15, GET 1, CREATE 2',
  'retype a field': 'ERR 1-3, LIST 4-5 12-16, GET 1 3, CREATE 2-5 21-22 28',
  'make a field null': 'ERR 1-3, LIST 4-5 15, GET 1 3, CREATE 2-5 21-22 28',
  'change a string': 'LIST 5 12-14 16, GET 1 3, CREATE 3-5 7 28',
  'empty a string': 'ERR 5, LIST 5 12-14 16, GET 1 3, CREATE 3-5 7 22 28',
  'change the last digit of an integer': 'ERR 3, LIST 15, GET 2-3, CREATE 3 6-7 21 26 28',
  'push an integer beyond int64': 'ERR 3, LIST 4 15, GET 1, CREATE 2-3 21',
  'change the status of an animal': 'LIST 12-14 16, GET 3, CREATE 4',
  'empty a page': 'LIST 7 15 19, CREATE 8',
  'remove the first animal of a page': 'LIST 7 15',
  'list an animal twice': 'LIST 6-9 16 18 20',
  'add an animal to a page': 'LIST 6-9 16 20',
  'add a hundred animals to a page': 'LIST 6-9 16 20',
  'reverse a page': '',
  'wrap the body': 'ERR 1-3, LIST 3, GET 1, CREATE 2',
  'truncate the body': 'ERR 1-3, LIST 3, GET 1, CREATE 2',
  'break the encoding': 'ERR 1-3, LIST 3, GET 1, CREATE 2',
  'move the base address': 'VER 1',
  'swap two consecutive responses':
    'AUTH 9 11 14-15, ERR 7, LIST 1 3 6-9 12-16 20, GET 1-5 11, CREATE 1-4 7-9 21-22 24 27-28, RATE 8 13',
}
