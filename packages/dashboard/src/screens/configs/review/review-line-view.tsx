import { Undo2 } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { Age } from '../../../components/time.tsx'
import { tierIcons } from '../grid/key-cell.tsx'
import { toValueText } from '../matrix.ts'
import { FlagDiff } from '../rules/flag-diff.tsx'
import type { StagedChanges } from '../staged-store.ts'
import { keepMine } from '../staged.ts'
import type { ReviewLine } from './review-lines.ts'
import { ValueDiff } from './value-diff.tsx'

interface ReviewLineViewProps {
  readonly line: ReviewLine
  readonly changes: StagedChanges
}

/** Renders one staged change: the current value, the new one, and its problem. */
export function ReviewLineView({ line, changes }: ReviewLineViewProps) {
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
      <Overtaken line={line} changes={changes} />
    </li>
  )
}

/** Shows the value that somebody else has saved meanwhile, and lets the person choose. */
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
