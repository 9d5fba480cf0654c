import { useState } from 'react'
import { Undo2 } from 'lucide-react'
import { ApiProblem, isRequested } from '../../../api/problem.ts'
import { Button, IconButton } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { Badge } from '../../../components/badge.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { Age } from '../../../components/time.tsx'
import { toValueText, type Matrix } from '../matrix.ts'
import { useStaged, type StagedChanges } from '../staged-store.ts'
import { countChanges, idOf, keepMine } from '../staged.ts'
import type { Check } from '../use-check.ts'
import { useSave } from '../use-save.ts'
import { tierIcons } from '../grid/key-cell.tsx'
import { FlagDiff } from '../rules/flag-diff.tsx'
import {
  ConfirmationFields,
  isConfirmed,
  nameAction,
  nothingTyped,
  toConfirmation,
} from './confirmation-fields.tsx'
import {
  listChanged,
  listInherited,
  toRequired,
  toReviewGroups,
  type ReviewGroup,
  type ReviewLine,
} from './review-lines.ts'
import { NoSecret } from './no-secret.tsx'
import { ValueDiff } from './value-diff.tsx'

interface ReviewDrawerProps {
  readonly matrix: Matrix
  readonly changes: StagedChanges
  readonly check: Check
  readonly onClose: () => void
}

/** The first field gets the focus: it is what the person has to fill in. */
const drawer = { shape: 'drawer', isForm: true } as const

/** Renders the staged changes by environment, and saves all of them at once. */
export function ReviewDrawer({ matrix, changes, check, onClose }: ReviewDrawerProps) {
  const staged = useStaged(changes)
  const [typed, setTyped] = useState(nothingTyped)
  const { save, pending, problem } = useSave()
  const { answer } = check
  const groups = toReviewGroups(matrix, staged, answer)
  const watch = { environments: listChanged(matrix, groups, answer), mayWatch: true }
  const required = toRequired(matrix, groups, answer)
  const obstacle = findObstacle(groups, check)
  const isReady = obstacle === undefined && isConfirmed(required, typed)

  const submit = async () => {
    if (!isReady || pending) return
    const confirmation = toConfirmation(required, typed)
    const done = describeSaved(staged.length, groups)
    try {
      // Removes secrets first: the matrix shows only that they changed, which looks like a change of somebody else.
      const secrets = staged.filter(({ secret }) => secret).map(idOf)
      const onSaved = () => changes.settle(secrets)
      await save({ matrix, changes: staged, confirmation, done, onSaved })
      changes.settle(staged.map(idOf))
      onClose()
    } catch (error) {
      // A rejection is shown above the buttons, a conflict beside its cell. A request holds the changes from now on.
      if (!(error instanceof ApiProblem)) throw error
      if (isRequested(error)) changes.settle(staged.map(idOf))
    }
  }
  return (
    <Dialog
      {...drawer}
      title={`Review ${countChanges(staged.length)}`}
      description="Nothing is live until you save. Signalbox saves all changes together, or none."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {groups.map((group) => (
          <Group key={group.environment.id} group={group} changes={changes} />
        ))}
        <Inherited environments={listInherited(matrix, groups, answer)} />
        <ConfirmationFields {...{ required, typed, watch }} onTyped={setTyped} />
        <FormProblem problem={problem ?? check.problem ?? null} />
        <DialogActions>
          {obstacle !== undefined && (
            <span role="status" className="mr-auto self-center text-sm text-muted">
              {obstacle}
            </span>
          )}
          <Button onClick={onClose}>Keep editing</Button>
          <Button type="submit" variant="primary" pending={pending} disabled={!isReady}>
            {nameAction(required, 'Save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function describeSaved(count: number, groups: readonly ReviewGroup[]): string {
  const names = groups.map(({ environment }) => environment.name).join(', ')
  return `${countChanges(count)} saved in ${names}.`
}

/** Names the environments that change too, because they inherit. */
function Inherited({ environments }: { readonly environments: ReturnType<typeof listInherited> }) {
  return environments.map(({ name, keys }) => (
    <p key={name} className="text-sm text-muted">
      {name} inherits these and changes too: {keys.slice(0, 8).join(', ')}
      {keys.length > 8 && ` and ${keys.length - 8} more`}
    </p>
  ))
}

function Group({
  group,
  changes,
}: {
  readonly group: ReviewGroup
  readonly changes: StagedChanges
}) {
  const { environment, lines } = group
  return (
    <section aria-label={environment.name} className="rounded-lg border border-line">
      <h3 className="flex justify-between gap-2 border-b border-line px-3 py-2 font-semibold">
        <span className="min-w-0 truncate">{environment.name}</span>
        <span className="text-sm font-normal text-muted">{countChanges(lines.length)}</span>
      </h3>
      <ul className="divide-y divide-line">
        {lines.map((line) => (
          <ReviewLineView key={line.id} line={line} changes={changes} />
        ))}
      </ul>
    </section>
  )
}

/** Returns the reason why the changes cannot be saved yet. */
function findObstacle(groups: readonly ReviewGroup[], check: Check): string | undefined {
  const lines = groups.flatMap((group) => group.lines)
  if (lines.some(({ overtakenBy }) => overtakenBy !== undefined))
    return 'Somebody else changed a cell: take theirs or keep yours.'
  const invalid = lines.filter(({ problem }) => problem !== undefined).length
  if (invalid > 0) return invalid === 1 ? 'One value is invalid.' : `${invalid} values are invalid.`
  if (check.answer === undefined && check.problem === undefined) return 'Checking…'
  return undefined
}

interface ReviewLineViewProps {
  readonly line: ReviewLine
  readonly changes: StagedChanges
}

/** Renders one staged change: the current value, the new one, and its problem. */
function ReviewLineView({ line, changes }: ReviewLineViewProps) {
  const { change, cellRef, effect, before, after, flag, problem } = line
  const Icon = cellRef && tierIcons[cellRef.row.tier]
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex items-center gap-2">
        {Icon && <Icon aria-hidden size={14} className="shrink-0 text-muted" />}
        <span className="min-w-0 flex-1 font-mono break-all">{change.key}</span>
        {effect === 'new' && <Badge tone="ok">new</Badge>}
        {effect === 'unsets' && <Badge tone="warn">unset</Badge>}
        {effect === 'replaces' && change.secret && <Badge>secret</Badge>}
        <IconButton
          label={`Discard the change of ${change.key}`}
          icon={Undo2}
          onClick={() => changes.drop([line.id])}
        />
      </div>
      {change.secret ? (
        <p className="text-sm text-muted">{toSecretText(effect)}</p>
      ) : flag === undefined ? (
        <ValueDiff before={before} after={after} />
      ) : (
        <FlagDiff {...flag} />
      )}
      {problem !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      {line.isSuspect && (
        <NoSecret
          checked={change.plain === true}
          onChange={(plain) => changes.put([{ ...change, plain }])}
        />
      )}
      <Overtaken line={line} changes={changes} />
    </li>
  )
}

/** Shows the value that somebody else has saved, and lets the person choose. */
function Overtaken({ line, changes }: ReviewLineViewProps) {
  const { id, change, cellRef, overtakenBy } = line
  if (overtakenBy === undefined || cellRef === undefined) return null
  const { author, at } = overtakenBy
  const { value } = cellRef.cell
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 text-sm text-bad">
      <span className="min-w-0 wrap-anywhere">
        {author?.name ?? 'Somebody'} saved{' '}
        {value === undefined ? 'something else' : <LongText text={toValueText(value)} />}{' '}
        {at !== undefined && <Age at={at} />}
      </span>
      <Button onClick={() => changes.drop([id])}>Take theirs</Button>
      <Button onClick={() => changes.put([keepMine(change, cellRef)])}>Keep mine</Button>
    </div>
  )
}

function toSecretText(effect: ReviewLine['effect']): string {
  if (effect === 'unsets') return 'Removes the secret here'
  return effect === 'new' ? 'First secret value here (hidden)' : 'New secret value (hidden)'
}
