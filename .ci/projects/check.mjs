// Builds new projects as the manual describes, with the packed package: node .ci/projects/check.mjs
// [servers|nest|next|hono]. Servers for Express, Fastify, Koa and Hono are built as ESM, as CommonJS and with a
// bundler.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { check, root, run, runNpm, writeFiles } from '../command.mjs'
import { pack } from '../pack.mjs'
import { assertFollowsEveryRule, assertServesApp, assertSharesLimits, startProgram } from '../serving.mjs'

const only = process.argv.slice(2)
const readExample = (name) => readFileSync(join(root, 'adapters/examples/mounting', name), 'utf8')

/**
 * Starts a command, runs an assertion against its server, and checks that the server stops although clients keep idle
 * connections.
 */
async function tryApp(command, options, assertKept = assertServesApp) {
  const { origin, stderr, stop } = await startProgram(command, options)
  try {
    await assertKept(origin)
  } catch (cause) {
    throw new Error(`${cause.message}\n${stderr.text}`, { cause })
  } finally {
    const late = sleep(20_000, 'late', { ref: false })
    assert.notEqual(await Promise.race([stop(), late]), 'late', 'the server has not stopped within 20 s')
  }
}

const servers = ['node-http', 'express', 'own-routes', 'fastify', 'koa', 'hono-node']
/** The plugins that apps of a framework usually have: packages, imports, and statements that follow `const app =`. */
const expressPlugins = {
  packages: ['helmet', 'cors', 'compression', 'morgan', 'express-rate-limit'],
  imports: `import helmet from 'helmet'
    import cors from 'cors'
    import compression from 'compression'
    import morgan from 'morgan'
    import { rateLimit } from 'express-rate-limit'`,
  uses: `app.use(morgan('tiny'), helmet(), cors(), compression({ threshold: 0 }), rateLimit({ limit: 10_000 }))`,
}
const plugins = {
  express: expressPlugins,
  'own-routes': expressPlugins,
  fastify: {
    packages: ['cors', 'helmet', 'compress', 'etag', 'rate-limit'].map((name) => `@fastify/${name}`),
    imports: `import cors from '@fastify/cors'
      import helmet from '@fastify/helmet'
      import compress from '@fastify/compress'
      import etag from '@fastify/etag'
      import limit from '@fastify/rate-limit'`,
    uses: `app.register(cors).register(helmet).register(compress, { threshold: 0 }).register(etag)
      app.register(limit, { max: 10_000 })`,
  },
  koa: {
    packages: ['koa-helmet', '@koa/cors', 'koa-compress', 'koa-bodyparser'],
    imports: `import helmet from 'koa-helmet'
      import cors from '@koa/cors'
      import compress from 'koa-compress'
      import bodyParser from 'koa-bodyparser'`,
    uses: `app.use(helmet()).use(cors()).use(compress({ threshold: 0 })).use(bodyParser())`,
  },
  'hono-node': {
    packages: [],
    imports: `import { cors } from 'hono/cors'
      import { secureHeaders } from 'hono/secure-headers'
      import { compress } from 'hono/compress'
      import { etag } from 'hono/etag'
      import { requestId } from 'hono/request-id'`,
    uses: `app.use(secureHeaders(), cors(), compress({ threshold: 0 }), etag(), requestId())`,
  },
}
const builds = {
  ESM: { type: 'module', options: { module: 'nodenext' } },
  CommonJS: { type: 'commonjs', options: { module: 'nodenext' } },
  bundler: { type: 'module', options: { module: 'esnext', moduleResolution: 'bundler' } },
}
const packages = [
  ...['express', 'fastify', 'koa', 'hono', '@hono/node-server'],
  ...Object.values(plugins).flatMap((plugin) => plugin.packages),
]
const tools = ['typescript', 'esbuild', '@types/node@20', '@types/express', '@types/koa']

async function buildServers(folder, tarball) {
  writeFiles(folder, { 'package.json': '{}' })
  await runNpm(folder, 'install', tarball, ...packages, ...tools)
  const tsc = join(folder, 'node_modules/typescript/bin/tsc')
  for (const [name, { type, options }] of Object.entries(builds)) {
    const project = join(folder, name)
    const compilerOptions = {
      ...options,
      target: 'es2022',
      strict: true,
      skipLibCheck: true,
      outDir: 'dist',
      types: ['node'],
    }
    writeFiles(project, {
      'package.json': JSON.stringify({ type }),
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      'pets.ts': readExample('pets.ts'),
      ...Object.fromEntries(servers.map((server) => [`${server}.ts`, readExample(`${server}.ts`)])),
    })
    await run(process.execPath, [tsc], { cwd: project })
    const tryServer = async (server) => {
      const file = join(project, 'dist', `${server}.js`)
      if (name === 'bundler') await bundle(folder, join(project, `${server}.ts`), file)
      // Module formats do not change how a mount behaves, so one build runs every assertion.
      const assertion = name === 'ESM' ? assertServesApp : assertSharesLimits
      await tryApp([process.execPath, file], {}, server === 'own-routes' ? assertFollowsEveryRule : assertion)
      console.log(`ok      ${server}.ts as ${name}`)
    }
    await Promise.all(servers.map(tryServer))
    if (name === 'ESM') await tryPlugins(join(project, 'dist'))
  }
}

/** Runs every assertion against the built servers, with the framework's usual plugins in front of each app's routes. */
async function tryPlugins(dist) {
  for (const [server, { imports, uses }] of Object.entries(plugins)) {
    const built = readFileSync(join(dist, `${server}.js`), 'utf8')
    const text = built.replace(/^const app = .*$/m, (line) => `${line}\n${uses}`)
    writeFiles(dist, { [`${server}-plugins.js`]: `${imports}\n${text}` })
    const ownRoute = server === 'own-routes' ? '/v1/pets' : '/'
    await tryApp([process.execPath, join(dist, `${server}-plugins.js`)], {}, async (origin) => {
      await assertFramesRejected(`${origin}${ownRoute}`)
      await (server === 'own-routes' ? assertFollowsEveryRule : assertServesApp)(origin)
    })
    console.log(`ok      ${server}.ts with the usual plugins`)
  }
}

function bundle(folder, entry, outfile) {
  const flags = ['--bundle', '--platform=node', '--format=esm', '--packages=external', '--allow-overwrite']
  return run(join(folder, 'node_modules/.bin/esbuild'), [entry, `--outfile=${outfile}`, ...flags], {
    cwd: folder,
  })
}

async function buildNest(folder, tarball) {
  const flags = ['--skip-git', '--skip-install', '--package-manager', 'npm', '--strict']
  await run('npx', ['--yes', '@nestjs/cli@12', 'new', 'shelter', ...flags], { cwd: folder })
  const project = join(folder, 'shelter')
  await runNpm(project, 'install', tarball)
  writeFiles(project, {
    'src/main.ts': readExample('nest.ts'),
    'src/pets.ts': readExample('pets.ts'),
    'src/key.guard.ts': readExample('key.guard.ts'),
    'src/app.module.ts': readExample('app.module.ts'),
  })
  await runNpm(project, 'run', 'build')
  await runNpm(project, 'test')
  const tryBuilt = (assertion) => tryApp([process.execPath, join(project, 'dist/main.js')], {}, assertion)
  await tryBuilt()
  await runNpm(project, 'install', 'helmet', 'compression', '@types/compression')
  const withPlugins = readExample('nest.ts').replace(
    / {2}const app = .*\n/,
    (line) => `${line}${nestPlugins}`,
  )
  writeFiles(project, {
    'src/main.ts': `import compression from 'compression'\nimport helmet from 'helmet'\n${withPlugins}`,
  })
  await runNpm(project, 'run', 'build')
  await tryBuilt(async (origin) => {
    await assertFramesRejected(origin)
    await assertServesApp(origin)
  })
}

const nestPlugins = `  app.enableCors()
  app.use(helmet(), compression({ threshold: 0 }))
`

/** Asserts that a plugin or a setting has set its header, so it is active. */
async function assertFramesRejected(url) {
  assert.equal((await fetch(url)).headers.get('X-Frame-Options'), 'SAMEORIGIN')
}

/** A server component that lists its own app's animals with the client. */
const clientPage = `import { headers } from 'next/headers'
import { createPetClient, toJson } from 'pet-adoption-service/client'
import { Suspense } from 'react'

export default function Page() {
  return <Suspense><Animals /></Suspense>
}

async function Animals() {
  const baseUrl = \`http://\${(await headers()).get('host')}/v1\`
  const { pets } = await createPetClient({ baseUrl, apiKey: 'my-first-long-api-key' }).list({ limit: 5 }).page()
  return <p>{toJson(pets)}</p>
}`

async function buildNext(folder, tarball) {
  const flags = ['--ts', '--app', '--no-tailwind', '--no-eslint', '--no-src-dir', '--use-npm', '--yes']
  await run('npx', ['--yes', 'create-next-app@16', 'shelter', ...flags, '--skip-install', '--disable-git'], {
    cwd: folder,
  })
  const project = join(folder, 'shelter')
  await runNpm(project, 'install', tarball)
  writeFiles(project, {
    'pets.ts': readExample('pets.ts'),
    'client-address.ts': readExample('client-address.ts'),
    'app/v1/[[...path]]/route.ts': readExample('app/v1/[[...path]]/route.ts'),
    'app/orders/route.ts': readExample('app/orders/route.ts'),
    // create-next-app's layout downloads fonts.
    'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
      return <html lang="en"><body>{children}</body></html>
    }`,
    'app/page.tsx': clientPage,
    'next.config.ts': `export default {
      headers: () => [{ source: '/:path*', headers: [{ key: 'X-Frame-Options', value: 'SAMEORIGIN' }] }],
    }`,
    'proxy.ts': `import { NextResponse } from 'next/server'
      export function proxy() {
        return NextResponse.next({ headers: { 'X-Proxied': '1' } })
      }`,
  })
  const env = { NEXT_TELEMETRY_DISABLED: '1' }
  const next = [process.execPath, join(project, 'node_modules/next/dist/bin/next')]
  await run(next[0], [next[1], 'build'], { cwd: project, env, timeout: 300_000 })
  const startFlags = ['start', '--hostname', '127.0.0.1', '--port', '{port}']
  // Next.js responds to invalid targets itself, so that part of the app's promises does not apply.
  await tryApp([...next, ...startFlags], { cwd: project, env }, async (origin) => {
    await assertFramesRejected(`${origin}/v1/pets`)
    await assertSharesLimits(origin)
    await assertFollowsEveryRule(origin)
    assert.match(await (await fetch(origin)).text(), /&quot;name&quot;:&quot;Animal 0&quot;/)
  })
}

/** Versions of @hono/node-server that replace `Response` in different ways. */
const nodeServers = ['1.14', '1.15', '1.16', '1.17', '1.18', '1.19', '2']

async function tryNodeServers(folder, tarball) {
  const app = readFileSync(new URL('hono-middleware.mjs', import.meta.url), 'utf8')
  writeFiles(folder, { 'package.json': '{}', 'app.mjs': app })
  const aliases = nodeServers.map((version) => `node-server-${version}@npm:@hono/node-server@${version}`)
  await runNpm(folder, 'install', tarball, 'hono', ...aliases)
  for (const version of nodeServers) await run(process.execPath, ['app.mjs', version], { cwd: folder })
}

const projects = { servers: buildServers, nest: buildNest, next: buildNext, hono: tryNodeServers }

await check('the check of new projects', async (folder) => {
  const { tarball } = await pack(folder)
  const wanted = Object.entries(projects).filter(([name]) => only.length === 0 || only.includes(name))
  for (const [name, build] of wanted) {
    const place = join(folder, name)
    mkdirSync(place)
    await build(place, tarball)
    console.log(`ok      ${name}`)
  }
})
