/** Describes a request whose body has been read. */
export interface SandboxRequest {
  readonly method: string
  /** Holds the path without the mount's prefix and the query. Example: `/repos/acme/shop/deployments`. */
  readonly path: string
  /** Maps the parameters of the route to their decoded values. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Maps names in lower case to values. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Holds the sandbox's own address. Example: `http://127.0.0.1:4500`. */
  readonly origin: string
}

/** Describes an answer before it is sent. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Describes a method and a path with its handler. */
export interface Route {
  readonly method: (typeof methods)[number]
  /** `:name` matches one part of the path, `*name` the rest of it. Example: `/repos/:owner/:repo/environments/*name`. */
  readonly path: string
  readonly handle: (request: SandboxRequest) => Answer | Promise<Answer>
}

/** Creates a route at a method and a path. Example: `route('GET /user', answer)`. */
export function route(at: string, handle: Route['handle']): Route {
  const [verb, path = ''] = at.split(' ')
  const method = methods.find((one) => one === verb)
  if (method === undefined) throw new Error(`${at} begins with no method.`)
  return { method, path, handle }
}

/** Returns the values of the pattern's parameters, or `undefined` when the path does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const patternParts = pattern.split('/')
  const pathParts = path.split('/')
  const params: Record<string, string> = {}
  for (const [index, part] of patternParts.entries()) {
    if (part.startsWith('*')) {
      params[part.slice(1)] = decode(pathParts.slice(index).join('/'))
      return pathParts.length > index ? params : undefined
    }
    const value = pathParts[index]
    if (value === undefined) return undefined
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return patternParts.length === pathParts.length ? params : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
