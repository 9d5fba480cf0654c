import type { RequestOf } from '../../api/routes.ts'
import type { ChangeRequest } from './describe-request.ts'

type Revision = NonNullable<
  RequestOf<'PUT /organizations/{org_id}/change-requests/{request_id}'>['body']
>

/** Returns a new revision that does the same. Secrets stand in it as null, which keeps them. */
export function toRevision(
  { title, reason, operation, applyAt }: ChangeRequest,
  change: Partial<Pick<Revision, 'title' | 'reason'>> = {},
): Revision {
  return {
    title,
    reason,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers the operation as it takes it
    operation: operation as Revision['operation'],
    ...(applyAt !== null && { applyAt }),
    ...change,
  }
}
