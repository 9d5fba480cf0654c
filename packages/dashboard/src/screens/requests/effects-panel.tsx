import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import type { ChangeRequest } from './describe-request.ts'
import { EffectList } from './effect-list.tsx'
import { isWaiting } from './states.ts'

interface EffectsPanelProps {
  readonly request: ChangeRequest
}

/** Shows what readers get before and after, as the reviewers see it, and on demand what it would change now. */
export function EffectsPanel({ request }: EffectsPanelProps) {
  const { against } = useSearch({ from: '/$org/requests/$requestId' })
  const navigate = useNavigate({ from: '/$org/requests/$requestId' })
  const isNow = against === 'now' && isWaiting(request)
  const switchTime = () =>
    void navigate({ search: isNow ? {} : { against: 'now' as const }, replace: true })
  return (
    <Panel
      title="What changes for readers"
      actions={
        isWaiting(request) && (
          <Button variant="quiet" aria-pressed={isNow} onClick={switchTime}>
            What it would change now
          </Button>
        )
      }
    >
      {isNow ? <EffectsNow request={request} /> : <EffectList effects={request.effects} />}
    </Panel>
  )
}

/** Shows what it would change now. Values that others have changed since are what they are now. */
function EffectsNow({ request: { id } }: EffectsPanelProps) {
  const query = useRead('GET /organizations/{org_id}/change-requests/{request_id}/effects', {
    params: { request_id: id },
    query: { against: 'now' },
  })
  return (
    <Loaded query={query}>
      {({ effects, conflicts }) => (
        <div className="flex flex-col gap-3">
          <p className="text-muted">
            {conflicts.length === 0
              ? 'Nobody has changed the same values since: it changes what its reviewers see.'
              : 'Somebody has changed the same values since. With these, it would change:'}
          </p>
          <EffectList effects={effects} />
        </div>
      )}
    </Loaded>
  )
}
