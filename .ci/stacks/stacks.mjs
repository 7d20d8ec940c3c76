// The deployments and their expected verdicts. Each was checked by hand: see README.md.
import { join } from 'node:path'
import { program, writeKeys } from '../server.mjs'

const errors = ['ERR-1', 'ERR-2', 'ERR-3', 'ERR-4']
const headers = ['RATE-1', 'RATE-2', 'RATE-3']

/** The stacks, and for each flaw (`none`: the correct deployment) the profile and the rules that do not pass. */
export const stacks = [
  {
    name: 'ours',
    command({ folder, key, throttleKey }) {
      const keys = writeKeys(folder, [
        ['suite', key, { plan: 'business' }],
        ['throttled', throttleKey, { plan: 'free' }],
      ])
      return [process.execPath, program, '--memory', '--log', 'silent', '--keys', keys]
    },
    flaws: { none: { profile: 'all', plan: 'business' } },
  },
  {
    name: 'go',
    async command({ here, folder, run }) {
      const program = join(folder, 'go-server')
      await run('go', ['build', '-o', program, join(here, 'go.go')])
      return [program]
    },
    flaws: {
      none: { profile: 'all' },
      // leaves unknown paths to the multiplexer
      'mux-404': { warn: ['ERR-7'] },
      // rejects with `http.Error` before the limiter
      'early-401': { fail: ['ERR-4', ...headers], warn: ['AUTH-10'] },
      // encodes an empty page as `null`
      'nil-slice': { fail: ['LIST-3'], inconclusive: ['LIST-17'] },
      // decodes one value and ignores the rest
      trailing: { fail: ['CREATE-16'] },
      // reads absent members as zero values
      'zero-values': { fail: ['CREATE-9', 'CREATE-10', 'CREATE-11', 'CREATE-18', 'CREATE-19'] },
      // reads `null` as absent
      'null-is-absent': { warn: ['CREATE-27'] },
    },
  },
  {
    name: 'express',
    command: () => [process.execPath, 'express.mjs'],
    flaws: {
      none: { profile: 'all' },
      // parses numbers as doubles
      numbers: { fail: ['CREATE-21'] },
      // accepts `access_token` and `X-API-Key`
      'key-in-query': { profile: 'exhaust', warn: ['AUTH-12', 'AUTH-16'] },
      // sends `RateLimit-*` instead of `X-RateLimit-*`
      'standard-headers': {
        fail: headers,
        warn: ['ERR-7'],
        inconclusive: ['RATE-4', 'RATE-5', 'RATE-6', 'RATE-7'],
      },
      // checks the key before the limiter: fails on the 401s
      'limit-behind-key': { fail: headers },
      // leaves errors to Express, which sends HTML
      'html-errors': { fail: [...errors, 'CREATE-21'], warn: ['ERR-7'] },
      // returns one animal more than `limit`
      'off-by-one': { fail: ['LIST-6', 'LIST-8', 'LIST-16', 'LIST-20'], warn: ['LIST-7'] },
      // lets the body set the id
      'mass-assignment': { warn: ['CREATE-23'] },
    },
  },
]
