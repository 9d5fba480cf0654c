import { useState } from 'react'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import {
  actionWords,
  describeCounts,
  slotOf,
  storeWords,
  type PlannedName,
  type Target,
  type TargetPlan,
} from './target.ts'

interface PlanPanelProps {
  readonly target: Target
}

/**
 * Shows the plan of the next run. It reads the plan immediately for a target that waits for its first run, and for
 * others when a person asks.
 */
export function PlanPanel({ target }: PlanPanelProps) {
  const [isAsked, setAsked] = useState(target.state === 'planned')
  if (target.state === 'paused') return null
  return (
    <Panel title={target.state === 'planned' ? 'Plan of the first run' : 'Next run'} flush>
      {isAsked ? (
        <AskedPlan target={target} onDone={() => setAsked(false)} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3 p-4">
          <p className="text-muted">
            Each change of the values starts a run. The plan says what the next one does.
          </p>
          <Button onClick={() => setAsked(true)}>Show the plan</Button>
        </div>
      )}
    </Panel>
  )
}

interface AskedPlanProps extends PlanPanelProps {
  /** Called when a run has begun, after which the plan is out of date. */
  readonly onDone: () => void
}

function AskedPlan({ target, onDone }: AskedPlanProps) {
  // The provider is asked for its names, so it is read once and not after each change.
  const query = useRead('GET /organizations/{org_id}/targets/{target_id}/plan', {
    params: { target_id: target.id },
    fresh: false,
  })
  return (
    <Loaded query={query}>
      {(plan) => (
        <RunForm
          target={target}
          plan={plan}
          isReading={query.isFetching}
          onAgain={() => void query.refetch()}
          onDone={onDone}
        />
      )}
    </Loaded>
  )
}

interface RunFormProps extends AskedPlanProps {
  readonly plan: TargetPlan
  readonly isReading: boolean
  readonly onAgain: () => void
}

/** Renders the plan, lets a person adopt names that are there, and runs it. */
function RunForm({ target, plan, isReading, onAgain, onDone }: RunFormProps) {
  const [adopted, setAdopted] = useState<ReadonlySet<string>>(new Set())
  const run = useWrite('POST /organizations/{org_id}/targets/{target_id}/runs')
  const adopt = plan.items
    .filter((item) => item.isAdoptable && adopted.has(slotOf(item)))
    .map(({ name, store }) => ({ name, store }))
  const left = plan.counts.conflict - adopt.length
  const isFirst = target.state === 'planned'
  return (
    <>
      <div className="flex flex-col gap-3 border-b border-line p-4">
        <p>{describeCounts(plan)}</p>
        {left > 0 && (
          <p className="text-warn">
            {left === 1 ? '1 name is' : `${left} names are`} there already, and Signalbox didn’t
            write {left === 1 ? 'it' : 'them'}. A run leaves {left === 1 ? 'it' : 'them'} alone
            unless you take {left === 1 ? 'it' : 'them'} over.
          </p>
        )}
        <FormProblem problem={run.error} />
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            pending={run.isPending}
            onClick={() =>
              run.mutate({ params: { target_id: target.id }, body: { adopt }, onSuccess: onDone })
            }
          >
            {isFirst ? 'Run for the first time' : 'Run now'}
          </Button>
          <Button pending={isReading} onClick={onAgain}>
            Plan again
          </Button>
        </div>
      </div>
      <PlannedNames
        items={plan.items}
        adopted={adopted}
        onAdopt={(slot, isAdopted) => {
          const others = [...adopted].filter((one) => one !== slot)
          setAdopted(new Set(isAdopted ? [...others, slot] : others))
        }}
      />
      <Untouched names={plan.untouched} />
    </>
  )
}

interface PlannedNamesProps {
  readonly items: readonly PlannedName[]
  readonly adopted: ReadonlySet<string>
  readonly onAdopt: (slot: string, isAdopted: boolean) => void
}

function PlannedNames({ items, adopted, onAdopt }: PlannedNamesProps) {
  if (items.length === 0) return null
  return (
    <Table columns={['Name', 'Key', 'Next run']}>
      {items.map((item) => {
        const { name, store, key, action, detail, isAdoptable } = item
        const { text, tone } = actionWords[action]
        return (
          <Row key={slotOf(item)}>
            <Cell>
              <span className="font-mono wrap-anywhere">{name}</span>{' '}
              <span className="text-sm text-muted">{storeWords[store]}</span>
            </Cell>
            <Cell>
              <span className="font-mono wrap-anywhere">{key ?? '–'}</span>
            </Cell>
            <Cell>
              <div className="flex flex-col items-start gap-1">
                <Badge tone={tone}>{text}</Badge>
                {detail !== null && <span className="text-sm wrap-anywhere">{detail}</span>}
                {action === 'conflict' && isAdoptable && (
                  <label className="flex min-h-7 items-center gap-2">
                    <input
                      type="checkbox"
                      aria-label={`Take over ${name}`}
                      className="size-4 accent-accent"
                      checked={adopted.has(slotOf(item))}
                      onChange={({ target }) => onAdopt(slotOf(item), target.checked)}
                    />
                    Take it over: its value is replaced
                  </label>
                )}
              </div>
            </Cell>
          </Row>
        )
      })}
    </Table>
  )
}

/** Lists the names there that belong to others. */
function Untouched({ names }: { readonly names: TargetPlan['untouched'] }) {
  if (names.length === 0) return null
  return (
    <details className="border-t border-line p-4">
      <summary className="cursor-pointer">
        {names.length === 1 ? '1 other name' : `${names.length} other names`} there, which Signalbox
        doesn’t touch
      </summary>
      <p className="mt-2 font-mono text-sm wrap-anywhere text-muted">
        {names.map(({ name }) => name).join(', ')}
      </p>
    </details>
  )
}
