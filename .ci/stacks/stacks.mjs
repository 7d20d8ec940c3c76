// The deployments, and how each is judged. Every verdict was checked by hand: see README.md.
import { join } from 'node:path'
import { program, writeKeys } from '../server.mjs'

const errors = ['ERR-1', 'ERR-2', 'ERR-3', 'ERR-4']
const headers = ['RATE-1', 'RATE-2', 'RATE-3']

/** By the name of a flaw (`none` for the correct deployment): the profile, and the rules that do not pass. */
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
    name: 'python',
    program: 'python3',
    debian: 'python3',
    command: () => ['python3', 'python.py'],
    flaws: {
      none: { profile: 'all' },
      // the GETs that are sent once more leave no room for the one of GET-11
      'body-unread': { warn: ['AUTH-17'], inconclusive: ['GET-11'] },
      'headers-on-success': {
        profile: 'all',
        fail: [...headers, 'RATE-10', 'RATE-11'],
        warn: ['ERR-7'],
        inconclusive: ['RATE-13', 'RATE-14', 'RATE-15', 'RATE-16'],
      },
      send_error: { fail: [...errors, ...headers], warn: ['ERR-7'] },
      float: { fail: ['CREATE-14'] },
      bool: { fail: ['CREATE-13'] },
      unbounded: { fail: ['LIST-4', 'CREATE-20'] },
    },
  },
  {
    name: 'php',
    program: 'php',
    debian: 'php-cli',
    command: () => ['php', '-S', '127.0.0.1:{port}', 'php.php'],
    flaws: {
      none: { profile: 'all' },
      notice: { fail: ['ERR-1', 'ERR-2', 'ERR-3'] },
      'always-200': {
        fail: [
          ...['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6', 'AUTH-7', 'AUTH-8', 'AUTH-13'],
          ...['LIST-3', 'GET-4', 'CREATE-9', 'CREATE-10', 'CREATE-11', 'CREATE-12', 'CREATE-13', 'CREATE-14'],
          ...['CREATE-15', 'CREATE-16', 'CREATE-17', 'CREATE-18', 'CREATE-19', 'CREATE-20'],
        ],
        warn: ['ERR-7', 'GET-5', 'GET-11'],
        inconclusive: ['AUTH-10', 'AUTH-17', ...errors, 'ERR-5', 'LIST-11', 'CREATE-24'],
      },
      sparse: {
        fail: ['LIST-3'],
        inconclusive: ['LIST-8', 'LIST-12', 'LIST-13', 'LIST-14', 'LIST-15', 'LIST-16', 'CREATE-8'],
      },
      intval: { warn: ['GET-5', 'GET-11'] },
      is_numeric: { fail: ['CREATE-13', 'CREATE-14', 'CREATE-20'] },
    },
  },
  {
    name: 'ruby',
    program: 'ruby',
    debian: 'ruby',
    command: () => ['ruby', 'ruby.rb'],
    flaws: {
      none: { profile: 'all' },
      'html-404': { fail: errors, warn: ['ERR-7'] },
      'wrapped-errors': { fail: ['ERR-1', 'ERR-2', 'ERR-3'], warn: ['ERR-7'], inconclusive: ['ERR-5'] },
      milliseconds: { fail: ['RATE-6'] },
      'throttled-503': {
        profile: 'exhaust',
        exitCode: 3,
        warn: ['ERR-6'],
        inconclusive: [
          ...['RATE-9', 'RATE-10', 'RATE-11', 'RATE-12', 'RATE-13', 'RATE-14', 'RATE-15', 'RATE-16'],
        ],
      },
      'limit-ignored': { fail: ['LIST-6', 'LIST-8', 'LIST-16', 'LIST-20'], warn: ['LIST-7'] },
      to_i: { warn: ['GET-5', 'GET-11'] },
      'any-status': { fail: ['LIST-5', 'CREATE-15'], warn: ['CREATE-27'] },
    },
  },
  {
    name: 'go',
    program: 'go',
    debian: 'golang-go',
    async command({ here, folder, run }) {
      const program = join(folder, 'go-server')
      await run('go', ['build', '-o', program, join(here, 'go.go')])
      return [program]
    },
    flaws: {
      none: { profile: 'all' },
      'mux-404': { warn: ['ERR-7'] },
      'early-401': { fail: ['ERR-4', ...headers], warn: ['AUTH-10'] },
      'nil-slice': { fail: ['LIST-3'], inconclusive: ['LIST-17'] },
      trailing: { fail: ['CREATE-16'] },
      'zero-values': { fail: ['CREATE-9', 'CREATE-10', 'CREATE-11', 'CREATE-18', 'CREATE-19'] },
      'null-is-absent': { warn: ['CREATE-27'] },
    },
  },
  {
    name: 'express',
    command: () => [process.execPath, 'express.mjs'],
    flaws: {
      none: { profile: 'all' },
      numbers: { fail: ['CREATE-21'] },
      'key-in-query': { profile: 'exhaust', warn: ['AUTH-12', 'AUTH-16'] },
      'standard-headers': {
        fail: headers,
        warn: ['ERR-7'],
        inconclusive: ['RATE-4', 'RATE-5', 'RATE-6', 'RATE-7'],
      },
      'limit-behind-key': { fail: headers },
      'html-errors': { fail: [...errors, 'CREATE-21'], warn: ['ERR-7'] },
      'off-by-one': { fail: ['LIST-6', 'LIST-8', 'LIST-16', 'LIST-20'], warn: ['LIST-7'] },
      'mass-assignment': { warn: ['CREATE-23'] },
    },
  },
  {
    name: 'fastify',
    command: () => [process.execPath, 'fastify.mjs'],
    flaws: {
      none: { profile: 'all' },
      coercion: { fail: ['LIST-4', 'CREATE-12', 'CREATE-13', 'CREATE-19', 'CREATE-20', 'CREATE-21'] },
      'relative-reset': { profile: 'all', fail: ['RATE-6'], warn: ['RATE-15'] },
      'own-errors': { fail: ['ERR-3'], warn: ['ERR-7'] },
      'created-200': { fail: ['CREATE-1'] },
      'key-first': { fail: headers },
    },
  },
  {
    name: 'prism',
    command: () => [
      process.execPath,
      'node_modules/@stoplight/prism-cli/dist/index.js',
      ...['mock', '--port', '{port}', 'prism.yaml'],
    ],
    flaws: {
      mock: {
        profile: 'read',
        fail: ['AUTH-4', 'AUTH-5', 'ERR-1', 'ERR-2', 'ERR-4', 'LIST-13', 'LIST-14', 'GET-4', ...headers],
        warn: ['AUTH-10', 'AUTH-11', 'ERR-7', 'GET-9'],
        inconclusive: [
          ...['LIST-7', 'LIST-8', 'LIST-15', 'LIST-16', 'LIST-18', 'LIST-20'],
          ...['RATE-4', 'RATE-5', 'RATE-6', 'RATE-7'],
        ],
      },
    },
  },
]
