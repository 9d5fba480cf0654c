import type { Problem } from '@signalbox/contract'

/** Matches the paths of SCIM, whose clients read the errors of RFC 7644 §3.12 and no others. */
const scimPath = /^\/organizations\/[^/]+\/scim\/v2(?:\/|$)/

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Maps problems to the types that RFC 7644 gives such an error. A problem may name a more exact one as its extension. */
const scimTypes: Readonly<Record<string, string>> = {
  already_exists: 'uniqueness',
  invalid_query: 'invalidValue',
  validation_failed: 'invalidValue',
}

/** Returns whether a request is one of SCIM, whichever endpoint answers it. */
export function isScim(path: string): boolean {
  return scimPath.test(path)
}

/** Renders a problem as an error of SCIM. What is wrong with a request is 400 there, and never 422. */
export function toScimError(problem: Problem): { readonly status: number; readonly body: string } {
  const status = problem.status === 422 ? 400 : problem.status
  const named = problem.extensions['scimType']
  const fallback = status === 400 ? 'invalidSyntax' : undefined
  const scimType = typeof named === 'string' ? named : (scimTypes[problem.code] ?? fallback)
  const body = { schemas: [errorSchema], status: String(status), scimType, detail: problem.message }
  return { status, body: JSON.stringify(body) }
}
