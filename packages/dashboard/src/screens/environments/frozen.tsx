import { Snowflake } from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { LongText } from '../../components/long-text.tsx'
import { FormProblem } from '../../components/states.tsx'
import { toExactTime } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'

type Freeze = AnswerOf<'GET /organizations/{org_id}/freezes'>['items'][number]

/** Returns the freeze of an environment. `undefined`: it is not frozen, or it isn't known yet. One read serves all of the page. */
export function useFreeze(environmentId: string): Freeze | undefined {
  const { data } = useRead('GET /organizations/{org_id}/freezes', { query: {} })
  return data?.items.find((freeze) => freeze.environmentId === environmentId)
}

/** Marks an environment that is frozen. */
export function FrozenBadge() {
  return (
    <Badge tone="warn" icon={Snowflake}>
      frozen
    </Badge>
  )
}

interface FrozenProps {
  readonly freeze: Freeze
  /** Names the environment. */
  readonly name: string
}

/** Says until when nothing is deployed, why, and who froze it, with the button that ends it. */
export function Frozen({ freeze: { environmentId, until, reason, frozenBy }, name }: FrozenProps) {
  const { can } = useOrganization()
  const end = useWrite('DELETE /organizations/{org_id}/environments/{environment_id}/freeze')
  return (
    <div className="flex flex-col items-start gap-2 rounded-md bg-warn-ground px-3 py-2 text-warn">
      <p className="wrap-anywhere">
        Frozen by <bdi>{frozenBy.name}</bdi> until {toExactTime(until)}: <LongText text={reason} />
      </p>
      <FormProblem problem={end.error} />
      {can('admin') && (
        <Button
          aria-label={`End freeze of ${name}`}
          pending={end.isPending}
          onClick={() => end.mutate({ params: { environment_id: environmentId } })}
        >
          End freeze
        </Button>
      )}
    </div>
  )
}
