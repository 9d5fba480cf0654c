import { json } from '../http/answers.ts'
import type { Route, SandboxRequest } from '../http/route.ts'

/**
 * Answers what comes from the sandbox's own pages and from programs, and no page of another address: the sandbox is open
 * to whoever reaches it, and every browser of this machine does.
 */
export function onlyFromHere(route: Route): Route {
  return {
    ...route,
    handle: (request) =>
      isFromHere(request)
        ? route.handle(request)
        : json({ message: 'Only the pages of the sandbox itself may ask for this.' }, 403),
  }
}

/** A name that leads here by DNS is another address too. */
function isFromHere({ headers, origin }: SandboxRequest): boolean {
  const { host = '', origin: from = `http://${host}` } = headers
  const { host: own, port } = new URL(origin)
  const isOurs = host === own || host === `localhost:${port}`
  return isOurs && from === `http://${host}`
}
