import { isLoopback } from './server-url.ts'

type Env = Readonly<Partial<Record<string, string>>>

const names = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY'],
} as const

/** Lists the variables that name a proxy, and are set. */
export function listProxyVariables(env: Env): string[] {
  return names['https:'].filter((name) => (env[name] ?? '') !== '')
}

/** Returns the variable whose proxy requests to `serverUrl` go through unless `NO_PROXY` names its host. */
export function findProxyVariable(serverUrl: string, env: Env): string | undefined {
  if (isLoopback(serverUrl)) return undefined
  const { protocol } = new URL(serverUrl)
  const candidates = protocol === 'http:' ? names['http:'] : names['https:']
  return candidates.find((name) => (env[name] ?? '') !== '')
}
