import type { Answer, Call } from '../../../testing/open-identity-app.ts'

/** Holds the schema of a user, and of a patch. */
export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Describes one of the operations of a patch. */
export interface Operation {
  readonly op: string
  readonly path?: string
  readonly value?: unknown
}

/** Asks as a directory does: `GET /Users?…`. */
export type Ask = (request: string, body?: object) => Promise<Answer>

/** Returns what asks as a directory with a token. */
export function askAs(call: Call, orgId: string, token: string): Ask {
  return (request, body) => {
    const [method = '', path = ''] = request.split(/ (.*)/s)
    return call(`${method} /organizations/${orgId}/scim/v2${path.replaceAll(' ', '%20')}`, {
      as: token,
      ...(body !== undefined && {
        raw: JSON.stringify(body),
        headers: { 'content-type': 'application/scim+json' },
      }),
    })
  }
}

/** Returns the body of a patch. */
export const patchOf = (...operations: readonly Operation[]) => ({
  schemas: [patchSchema],
  Operations: operations,
})
