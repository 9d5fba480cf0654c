import { json } from '../http/answers.ts'
import type { Route, SandboxRequest } from '../http/route.ts'

/**
 * Answers only programs and the sandbox's own pages, and no page of another origin: the sandbox admits everybody who
 * reaches it, and every browser of this machine does.
 */
export function onlyFromHere(route: Route): Route {
  return {
    ...route,
    handle: (request) =>
      isFromHere(request)
        ? route.handle(request)
        : json({ message: 'Only pages of the sandbox itself may send this request.' }, 403),
  }
}

/** A host name that DNS resolves to this machine is another origin too. */
function isFromHere({ headers, origin }: SandboxRequest): boolean {
  const { host = '', origin: from = `http://${host}` } = headers
  const { host: own, port } = new URL(origin)
  const isOurs = host === own || host === `localhost:${port}`
  return isOurs && from === `http://${host}`
}
