import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { limits, targetingKey } from '@signalbox/contract'
import { Button, IconButton } from '../../../components/button.tsx'
import type { PartDraft, RuleDraft, RuledRow, ServeError } from './rule-draft.ts'
import { ServedField } from './served-field.tsx'
import { PartMark, SplitBar } from './split-bar.tsx'

interface ServeFieldsProps {
  readonly row: RuledRow
  readonly draft: RuleDraft
  /** Refers to the list of attributes to propose. */
  readonly listId: string
  readonly error: ServeError | undefined
  readonly onChange: (part: Partial<RuleDraft>) => void
}

interface Choice {
  readonly serves: RuleDraft['serves']
  readonly label: string
}

const ofFlags: readonly Choice[] = [
  { serves: 'on', label: 'On' },
  { serves: 'off', label: 'Off' },
  { serves: 'share', label: 'On for a percentage' },
]
const ofVariants: readonly Choice[] = [
  { serves: 'one', label: 'One variant' },
  { serves: 'split', label: 'A split' },
]
const ofValues: readonly Choice[] = [
  { serves: 'one', label: 'One value' },
  { serves: 'split', label: 'A split' },
]

function choicesOf({ tier, variants }: RuledRow, { serves }: RuleDraft): readonly Choice[] {
  if (tier !== 'featureFlags') return ofValues
  if (variants === undefined) return ofFlags
  // A flag may have served on and off before it had variants.
  return [...ofFlags.filter((choice) => choice.serves === serves), ...ofVariants]
}

/** Edits what a rule serves: on, off, or on for a share of the users; a value or a variant, or a split of them. */
export function ServeFields(props: ServeFieldsProps) {
  const { row, draft, error, onChange } = props
  const name = useId()
  const errorId = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">They get</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {choicesOf(row, draft).map(({ serves, label }) => (
          <label key={serves} className="flex min-h-7 items-center gap-2">
            <input
              type="radio"
              name={name}
              className="size-4 accent-accent"
              checked={draft.serves === serves}
              onChange={() => onChange({ serves })}
            />
            {label}
          </label>
        ))}
      </div>
      {draft.serves === 'one' && (
        <ServedField
          row={row}
          label={nounOf(row)}
          text={draft.served}
          errorId={error && errorId}
          onText={(served) => onChange({ served })}
        />
      )}
      {draft.serves === 'share' && <ShareFields {...props} errorId={errorId} />}
      {draft.serves === 'split' && <SplitFields {...props} errorId={errorId} />}
      {error !== undefined && draft.serves !== 'split' && <Violation id={errorId} error={error} />}
    </fieldset>
  )
}

function nounOf({ variants }: RuledRow): string {
  return variants === undefined ? 'Value' : 'Variant'
}

function Violation({ id, error }: { readonly id: string; readonly error: ServeError }) {
  return (
    <p id={id} role="alert" className="text-sm text-bad">
      {error.detail}
    </p>
  )
}

interface DividedProps extends ServeFieldsProps {
  /** Refers to the error, where there is one. */
  readonly errorId: string
}

/** Edits the parts of a split, which add up to 100%. */
function SplitFields({ row, draft, listId, error, errorId, onChange }: DividedProps) {
  const { parts, by } = draft
  const total =
    Math.round(parts.reduce((sum, part) => sum + toNumber(part.percent), 0) * 1000) / 1000
  const rest = String(Math.max(0, Math.round((100 - total) * 1000) / 1000))
  return (
    <div className="flex flex-col gap-2 rounded-md bg-raised p-2">
      <ol aria-label="Parts" className="flex flex-col gap-2">
        {parts.map((part, index) => (
          <PartFields
            // Parts have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            row={row}
            part={part}
            number={index + 1}
            // A part of 0% is not in the bar.
            colour={parts.slice(0, index).filter(({ percent }) => toNumber(percent) > 0).length}
            error={error?.part === undefined || error.part === index ? error : undefined}
            errorId={errorId}
            onPart={(next) => onChange({ parts: parts.with(index, next) })}
            onRemove={
              parts.length > 1 ? () => onChange({ parts: parts.toSpliced(index, 1) }) : undefined
            }
          />
        ))}
      </ol>
      <SplitBar
        serve={{ split: parts.map(({ percent }) => ({ value: '', percent: toNumber(percent) })) }}
      />
      <div className="flex flex-wrap items-center gap-3 text-sm">
        {parts.length < limits.partsPerSplit && (
          <Button
            icon={Plus}
            onClick={() => onChange({ parts: [...parts, { served: '', percent: rest }] })}
          >
            Add part
          </Button>
        )}
        <span className={total === 100 ? 'text-muted' : 'text-warn'}>{total}% of 100%</span>
      </div>
      {error !== undefined && error.part === undefined && <Violation id={errorId} error={error} />}
      <UnitField by={by} listId={listId} onChange={onChange} />
    </div>
  )
}

function toNumber(percent: string): number {
  return Math.max(0, Number(percent) || 0)
}

interface PartFieldsProps {
  readonly row: RuledRow
  readonly part: PartDraft
  readonly number: number
  /** Holds its place in the bar. */
  readonly colour: number
  readonly error: ServeError | undefined
  readonly errorId: string
  readonly onPart: (part: PartDraft) => void
  /** Absent: it is the only part. */
  readonly onRemove: (() => void) | undefined
}

/** Edits one part of a split: what it serves, and to how many. */
function PartFields(props: PartFieldsProps) {
  const { row, part, number, colour, error, errorId, onPart, onRemove } = props
  const isPercent = error?.field === 'percent'
  return (
    <li className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <PartMark colour={colour} />
        <ServedField
          row={row}
          label={`${nounOf(row)} of part ${number}`}
          text={part.served}
          errorId={error?.field === 'served' ? errorId : undefined}
          onText={(served) => onPart({ ...part, served })}
        />
        <span className="flex items-center gap-1">
          <input
            aria-label={`Percentage of part ${number}`}
            aria-invalid={isPercent || undefined}
            aria-describedby={isPercent ? errorId : undefined}
            inputMode="decimal"
            autoComplete="off"
            className="control w-20 text-right"
            value={part.percent}
            onChange={({ target }) => onPart({ ...part, percent: target.value })}
          />
          <span>%</span>
        </span>
        {onRemove !== undefined && (
          <IconButton label={`Remove part ${number}`} icon={Trash2} onClick={onRemove} />
        )}
      </div>
      {error?.part !== undefined && <Violation id={errorId} error={error} />}
    </li>
  )
}

function ShareFields({ draft: { percent, by }, listId, error, errorId, onChange }: DividedProps) {
  const share = Number(percent)
  const onPercent = (text: string) => onChange({ percent: text })
  return (
    <div className="flex flex-col gap-2 rounded-md bg-raised p-2">
      <div className="flex items-center gap-3">
        <input
          type="range"
          aria-label="Percentage, by slider"
          min={0}
          max={100}
          step={1}
          className="min-w-0 flex-1 accent-accent"
          value={Number.isFinite(share) ? share : 0}
          aria-valuetext={`${percent} percent`}
          onChange={({ target }) => onPercent(target.value)}
        />
        <span className="flex items-center gap-1">
          <input
            aria-label="Percentage"
            aria-invalid={error !== undefined || undefined}
            aria-describedby={error && errorId}
            inputMode="decimal"
            autoComplete="off"
            className="control w-20 text-right"
            value={percent}
            onChange={({ target }) => onPercent(target.value)}
          />
          <span>%</span>
        </span>
      </div>
      <UnitField by={by} listId={listId} onChange={onChange} />
    </div>
  )
}

/** Names the attribute that decides who gets which part. */
function UnitField({
  by,
  listId,
  onChange,
}: Pick<ServeFieldsProps, 'listId' | 'onChange'> & { readonly by: string }) {
  return (
    <label className="flex flex-wrap items-center gap-2 text-sm">
      <span>Always the same users, chosen by</span>
      <input
        className="control w-44 font-mono"
        list={listId}
        placeholder={targetingKey}
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
        value={by}
        onChange={({ target }) => onChange({ by: target.value })}
      />
    </label>
  )
}
