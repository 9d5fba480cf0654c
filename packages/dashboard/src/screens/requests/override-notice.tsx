import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { FormProblem } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import type { ChangeRequest } from './describe-request.ts'

interface OverrideNoticeProps {
  readonly request: ChangeRequest
}

/** Says that a request was applied without its approvals, and lets somebody else say that they have seen it. */
export function OverrideNotice({ request: { id, overriddenBy, may } }: OverrideNoticeProps) {
  const acknowledge = useWrite(
    'POST /organizations/{org_id}/change-requests/{request_id}/acknowledge',
  )
  if (overriddenBy === undefined) return null
  const { member, at, acknowledgedBy } = overriddenBy
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md bg-warn-ground px-3 py-2 text-warn">
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <bdi>{member.name}</bdi> applied this without its approvals, <Age at={at} />.{' '}
        {acknowledgedBy === null ? (
          'It stays under “Needs attention” until another member has seen it.'
        ) : (
          <>
            <bdi>{acknowledgedBy.name}</bdi> has seen it.
          </>
        )}
      </p>
      <FormProblem problem={acknowledge.error} />
      {acknowledgedBy === null && may.acknowledge && (
        <Button
          pending={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ params: { request_id: id } })}
        >
          Acknowledge
        </Button>
      )}
    </div>
  )
}
