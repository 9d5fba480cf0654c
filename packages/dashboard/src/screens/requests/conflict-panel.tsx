import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { FlagDiff } from '../configs/rules/flag-diff.tsx'
import { ValueDiff } from '../configs/review/value-diff.tsx'
import type { ChangeRequest } from './describe-request.ts'
import { toRevision } from './to-revision.ts'

type Conflict = NonNullable<ChangeRequest['conflict']>[number]

interface ConflictPanelProps {
  readonly request: ChangeRequest
}

/** Shows what somebody has changed since the reviewers looked, and asks anew with the values of now. */
export function ConflictPanel({ request }: ConflictPanelProps) {
  const revise = useWrite('PUT /organizations/{org_id}/change-requests/{request_id}')
  const { conflict = [], may, id, version } = request
  if (conflict.length === 0) return null
  const askAgain = () =>
    revise.mutate({
      params: { request_id: id },
      body: toRevision(request),
      ifMatch: version,
      onSuccess: () => showToast({ text: 'Asked again, with the values of now.' }),
    })
  return (
    <Panel title="Somebody changed the same values since">
      <div className="flex flex-col gap-3">
        <p>
          Nothing was applied, because the reviewers saw other values than there are now.{' '}
          {may.revise
            ? 'Look at the new values. If the change is still right, ask again: approvals start over.'
            : 'Its author can ask again, or withdraw it.'}
        </p>
        <ul className="divide-y divide-line rounded-lg border border-line">
          {conflict.map((one) => (
            <ConflictItem
              key={`${one.environmentId} ${one.schemaId ?? ''} ${one.key ?? ''}`}
              conflict={one}
            />
          ))}
        </ul>
        <FormProblem problem={revise.error} />
        {may.revise && (
          <div>
            <Button variant="primary" pending={revise.isPending} onClick={askAgain}>
              Ask again
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

interface ConflictProps {
  readonly conflict: Conflict
}

function ConflictItem({ conflict }: ConflictProps) {
  const { environmentId, environment, schemaId, key, by, at } = conflict
  const search = { environment: environmentId, ...(key !== null && { key }) }
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="min-w-0 wrap-anywhere">
          <span className="font-mono">{key ?? 'All of it'}</span> in <bdi>{environment}</bdi>
          {by !== null && at !== null && (
            <>
              : changed by <bdi>{by.name}</bdi> <Age at={at} />
            </>
          )}
        </span>
        {schemaId !== null && (
          <PageLink to={{ page: 'history', search: { schema: schemaId, ...search } }}>
            Its history
          </PageLink>
        )}
      </div>
      <ThenAndNow conflict={conflict} />
    </li>
  )
}

/** Shows the value that the reviewers saw, and the one of now. */
function ThenAndNow({ conflict: { then, now } }: ConflictProps) {
  const sides = [then, now].filter((side) => side !== null)
  if (sides.some(({ secret }) => secret))
    return <p className="text-sm text-muted">The secret has another value than then.</p>
  return sides.some(({ rules }) => rules !== undefined) ? (
    <FlagDiff before={then ?? {}} after={now ?? {}} />
  ) : (
    <ValueDiff before={then?.value} after={now?.value} />
  )
}
