import { Link } from '@tanstack/react-router'
import type { ImportPlan, PlannedKey } from '@signalbox/contract/rest'
import { useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { FilterChip } from '../../components/filter-chip.tsx'
import { PartProgress } from './part-progress.tsx'
import { nothingGiven, SourcePanel } from './source-panel.tsx'
import { StorePanel } from './store-panel.tsx'
import { TargetPanel } from './target-panel.tsx'
import { useWizard, type Wizard, type WizardInput } from './use-wizard.ts'
import { PlanRows } from './plan-rows.tsx'
import {
  countFilters,
  describeCounts,
  filterWords,
  isSelectable,
  narrowRows,
  planFilters,
  type PlanFilter,
} from './plan.ts'

/** Leads from an export to stored keys: the export, where it goes, the plan, the import. Each step appears after the one before. */
export function ImportWizard({ schemas, environments, schemaId }: WizardInput) {
  const wizard = useWizard({ schemas, environments, schemaId })
  const { input, chosen, readable, state, change } = wizard
  if (state.phase === 'imported' && state.plan !== undefined) return <Imported wizard={wizard} />
  return (
    <>
      <SourcePanel
        input={input}
        source={wizard.source}
        reading={wizard.reading}
        onInput={(next) => change({ input: next, chosen: new Map() })}
      />
      {readable !== undefined && (
        <TargetPanel
          schemas={schemas}
          environments={environments}
          target={wizard.target}
          theirs={readable.environments}
          map={wizard.map}
          problem={state.problem}
          onTarget={(target) => change({ target })}
          onMap={(theirs, ours) => change({ chosen: new Map([...chosen, [theirs, ours]]) })}
        />
      )}
      {readable !== undefined && state.plan === undefined && <PlanStart wizard={wizard} />}
      {state.plan !== undefined && (
        <>
          <PlanPanel
            title="3. The plan"
            plan={state.plan}
            selected={wizard.picked}
            onSelected={wizard.select}
            onPlain={wizard.allow}
          />
          <StorePanel
            state={state}
            plan={state.plan}
            environments={environments}
            selected={wizard.picked}
            onStore={wizard.importPicked}
          />
        </>
      )}
    </>
  )
}

interface StepProps {
  readonly wizard: Wizard
}

/** Asks the server for the plan. */
function PlanStart({ wizard: { state, violation, isReady, showPlan } }: StepProps) {
  const isPending = state.phase === 'planning'
  return (
    <Panel title="3. The plan">
      <div className="flex max-w-2xl flex-col gap-4">
        <p className="text-muted">The plan shows what happens to each key, and stores nothing.</p>
        {violation !== undefined && (
          <p role="alert" className="wrap-anywhere text-bad">
            {violation}
          </p>
        )}
        <FormProblem problem={state.problem ?? null} fields={['/schema']} />
        {isPending && <PartProgress label="Planning" state={state} />}
        <div>
          <Button variant="primary" pending={isPending} disabled={!isReady} onClick={showPlan}>
            Show the plan
          </Button>
        </div>
      </div>
    </Panel>
  )
}

const none: ReadonlySet<string> = new Set()

/** Shows what has become of each key. */
function Imported({ wizard }: StepProps) {
  const { slug } = useOrganization()
  const { plan } = wizard.state
  if (plan === undefined) return null
  return (
    <>
      <div ref={takeFocus} tabIndex={-1} className="flex flex-wrap items-center gap-2">
        {plan.schemaId !== null && (
          <Link
            to="/$org/config"
            params={{ org: slug }}
            search={{ schema: plan.schemaId }}
            className={buttonClass('primary')}
          >
            Open {plan.schema}
          </Link>
        )}
        <Button
          onClick={() =>
            wizard.change({
              input: nothingGiven,
              target: { schemaId: plan.schemaId ?? '', newName: '' },
              chosen: new Map(),
            })
          }
        >
          Import another export
        </Button>
      </div>
      <PlanPanel
        title={`Imported into ${plan.schema}`}
        plan={plan}
        selected={none}
        onSelected={() => undefined}
        onPlain={() => undefined}
      />
    </>
  )
}

/** Takes the focus of the button that was pressed and removed. Otherwise it would go to the top of the page. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

interface PlanPanelProps {
  readonly title: string
  readonly plan: ImportPlan
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
  /** Called with a key that a person takes for no secret. */
  readonly onPlain: (key: string) => void
}

/** Renders the plan, or what has become of it, narrowed by chips and by a text. */
function PlanPanel({ title, plan, selected, onSelected, onPlain }: PlanPanelProps) {
  const [filter, setFilter] = useState<PlanFilter>('all')
  const [text, setText] = useState('')
  const counts = countFilters(plan.keys)
  const rows = narrowRows(plan.keys, filter, text)
  const doneIn = plan.dryRun ? undefined : (plan.schemaId ?? undefined)
  return (
    <Panel title={title} flush>
      <div className="flex flex-col gap-3 border-b border-line p-4">
        <p>{describeCounts(plan)}</p>
        <div className="flex flex-wrap items-center gap-2">
          {planFilters
            .filter((one) => one === 'all' || counts[one] > 0)
            .map((one) => (
              <FilterChip
                key={one}
                label={`${filterWords[one]} ${counts[one]}`}
                isPressed={filter === one}
                onPress={() => setFilter(one)}
              />
            ))}
          <input
            type="search"
            aria-label="Filter by name"
            placeholder="Filter by name"
            className="control w-auto min-w-40"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        {doneIn === undefined && (
          <SelectAll rows={rows} selected={selected} onSelected={onSelected} />
        )}
      </div>
      {rows.length === 0 ? (
        <p className="p-4 text-muted">No key matches the filter.</p>
      ) : (
        <PlanRows
          rows={rows}
          doneIn={doneIn}
          selected={selected}
          onPlain={onPlain}
          onSelect={(key, isSelected) => {
            const others = [...selected].filter((one) => one !== key)
            onSelected(new Set(isSelected ? [...others, key] : others))
          }}
        />
      )}
    </Panel>
  )
}

interface SelectAllProps extends Pick<PlanPanelProps, 'selected' | 'onSelected'> {
  /** Holds the rows that are visible. The others stay as they are. */
  readonly rows: readonly PlannedKey[]
}

function SelectAll({ rows, selected, onSelected }: SelectAllProps) {
  const visible = rows.filter(isSelectable).map(({ key }) => key)
  if (visible.length < 2) return null
  const dropped = new Set(visible)
  const others = [...selected].filter((key) => !dropped.has(key))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onClick={() => onSelected(new Set([...others, ...visible]))}>
        Select all {visible.length}
      </Button>
      <Button onClick={() => onSelected(new Set(others))}>Select none</Button>
    </div>
  )
}
