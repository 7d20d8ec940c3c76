import type { RunOptions } from '../../index.ts'
import { bypassesProxy } from './no-proxy.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the proxy that the environment has for a base address: `https_proxy` or `http_proxy` by its scheme, unless
 * `no_proxy` has its host. A name in lower case wins over the same name in upper case.
 */
export function proxyFor(baseUrl: string, env: Environment): Pick<RunOptions, 'proxy'> {
  if (!URL.canParse(baseUrl)) return {}
  const url = new URL(baseUrl)
  const scheme = url.protocol.slice(0, -1)
  const proxy = variable(`${scheme}_proxy`, env)
  if (!proxy || bypassesProxy(url, variable('no_proxy', env) ?? '')) return {}
  return { proxy }
}

function variable(name: string, env: Environment): string | undefined {
  return env[name] ?? env[name.toUpperCase()]
}
