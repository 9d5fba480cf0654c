import { ListChecks } from 'lucide-react'
import { useEffect, useReducer, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Age } from '../../../../components/time.tsx'
import { useSignals } from '../../../proofs/use-signals.ts'
import type { CellRef } from '../../matrix.ts'
import { describePlan, isActive, type Plan } from './describe-plan.ts'
import { PlanButtons } from './plan-buttons.tsx'
import { RolloutDialog } from './rollout-dialog.tsx'
import { StepLine } from './step-line.tsx'
import { useNewestPlan } from './use-plans.ts'

interface RolloutPanelProps {
  readonly schemaId: string
  readonly cellRef: CellRef
  readonly mayWrite: boolean
  /** Says that the flag has an unsaved change here, which a plan would overtake. */
  readonly isStaged: boolean
}

/** Shows the rollout of a flag in an environment while it is under way, and offers one where there is none. */
export function RolloutPanel({ schemaId, cellRef, mayWrite, isStaged }: RolloutPanelProps) {
  const { row, cell, environment } = cellRef
  const [isOpen, setOpen] = useState(false)
  const plan = useNewestPlan({ schema: schemaId, environment: environment.id, flag: row.key })
  const isOffered =
    mayWrite &&
    cell.source === 'set' &&
    row.tier === 'featureFlags' &&
    row.type === 'boolean' &&
    row.variants === undefined
  if (plan !== undefined && isActive(plan)) return <ActivePlan plan={plan} />
  return (
    <>
      {plan !== undefined && plan.endedAt !== null && (
        <p className="text-sm wrap-anywhere text-muted">
          Last rollout, <Age at={plan.endedAt} />: {describePlan(plan, Date.now())}.
        </p>
      )}
      {isOffered && (
        <div className="flex flex-wrap items-center gap-3">
          <Button icon={ListChecks} disabled={isStaged} onClick={() => setOpen(true)}>
            Roll out in steps
          </Button>
          {isStaged && (
            <span className="min-w-0 flex-1 text-sm text-muted">
              Save or discard your change first.
            </span>
          )}
        </div>
      )}
      {isOpen && (
        <RolloutDialog schemaId={schemaId} cellRef={cellRef} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function ActivePlan({ plan }: { readonly plan: Plan }) {
  const { nameOf } = useSignals()
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <section aria-label="Rollout" className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <StepLine plan={plan} />
      <p role="status" className="font-medium wrap-anywhere">
        {describePlan(plan, Date.now(), nameOf)}.
      </p>
      <p className="text-sm text-muted">
        Begun by <bdi>{plan.author.name}</bdi>, <Age at={plan.createdAt} />
      </p>
      <PlanButtons plan={plan} />
    </section>
  )
}
