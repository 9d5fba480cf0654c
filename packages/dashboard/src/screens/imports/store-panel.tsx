import type { ImportPlan } from '@signalbox/contract/rest'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { toRequiredOf, type Environment } from '../configs/environments.ts'
import {
  ConfirmationFields,
  isConfirmed,
  nameAction,
  nothingTyped,
} from '../configs/review/confirmation-fields.tsx'
import { joinRequired, joinRequirements, readRequired } from '../configs/review/read-required.ts'
import type { Confirmation } from '../configs/use-save.ts'
import { PartProgress } from './part-progress.tsx'
import { listHighIssues, listTouched } from './plan.ts'
import type { ImportState } from './use-import.ts'

interface StorePanelProps {
  readonly state: ImportState
  readonly plan: ImportPlan
  readonly environments: readonly Environment[]
  readonly selected: ReadonlySet<string>
  readonly onStore: (confirmation: Confirmation) => void
}

/** Asks for what an import needs from a person, and stores it. */
export function StorePanel({ state, plan, environments, selected, onStore }: StorePanelProps) {
  const [accepted, setAccepted] = useState('')
  const [typed, setTyped] = useState(nothingTyped)
  const required = toRequired({ state, plan, environments, selected })
  const high = listHighIssues(plan.keys, selected)
  const codes = high.map(({ code }) => code).join(', ')
  const isPending = state.phase === 'importing'
  const isAccepted = high.length === 0 || accepted === codes
  const isReady = selected.size > 0 && isAccepted && isConfirmed(required, typed)
  if (selected.size === 0) return <NothingSelected />
  return (
    <Panel title="4. Import">
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isPending) onStore({ confirm: required.names, comment: typed.comment })
        }}
      >
        <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />
        {high.length > 0 && (
          <Checkbox
            label="I’ve read the high issues, and accept what is lost"
            help={high.map(({ code, count }) => `${code} on ${toKeys(count)}`).join(', ')}
            checked={isAccepted}
            onChange={({ target }) => setAccepted(target.checked ? codes : '')}
          />
        )}
        <Stopped state={state} />
        {isPending && <PartProgress label="Importing" state={state} />}
        <div>
          <Button type="submit" variant="primary" pending={isPending} disabled={!isReady}>
            {nameAction(required, `Import ${toKeys(selected.size)}`)}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function toKeys(count: number): string {
  return count === 1 ? '1 key' : `${count} keys`
}

/** Returns the confirmation of the environments that get values. Those that inherit them are known to the server alone. */
function toRequired({
  state: { problem },
  plan: { keys, requires },
  environments,
  selected,
}: Omit<StorePanelProps, 'onStore'>) {
  const touched = new Set(listTouched(keys, selected))
  const known = toRequiredOf(environments.filter(({ name }) => touched.has(name)))
  return joinRequired(
    joinRequired(known, joinRequirements(requires)),
    readRequired(problem ?? null),
  )
}

function NothingSelected() {
  return (
    <Panel title="4. Import">
      <p className="text-muted">
        Nothing is selected. What is unchanged is here already, and keys that exist with other
        values keep them unless you select them.
      </p>
    </Panel>
  )
}

/** Says why an import stopped, and what is stored already. */
function Stopped({ state: { problem, part, parts } }: Pick<StorePanelProps, 'state'>) {
  if (problem === undefined) return null
  return (
    <>
      <FormProblem problem={problem} />
      {part > 0 && (
        <p>
          {part} of {parts} parts are stored. Press Import again to continue.
        </p>
      )}
    </>
  )
}
