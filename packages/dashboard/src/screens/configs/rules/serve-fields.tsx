import { useId } from 'react'
import { targetingKey } from '@signalbox/contract'
import type { RuleDraft } from './rule-draft.ts'

interface ServeFieldsProps {
  readonly draft: RuleDraft
  /** Refers to the list of attributes to propose. */
  readonly listId: string
  readonly error: string | undefined
  readonly onChange: (part: Partial<RuleDraft>) => void
}

const choices = [
  { serves: 'on', label: 'On' },
  { serves: 'off', label: 'Off' },
  { serves: 'share', label: 'On for a percentage' },
] as const

/** Edits what a rule serves: on, off, or on for a share of the users. */
export function ServeFields({ draft, listId, error, onChange }: ServeFieldsProps) {
  const name = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">They get</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {choices.map(({ serves, label }) => (
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
      {draft.serves === 'share' && (
        <ShareFields draft={draft} listId={listId} error={error} onChange={onChange} />
      )}
    </fieldset>
  )
}

function ShareFields({ draft: { percent, by }, listId, error, onChange }: ServeFieldsProps) {
  const errorId = useId()
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
            aria-describedby={error === undefined ? undefined : errorId}
            inputMode="decimal"
            autoComplete="off"
            className="control w-20 text-right"
            value={percent}
            onChange={({ target }) => onPercent(target.value)}
          />
          <span>%</span>
        </span>
      </div>
      {error !== undefined && (
        <p id={errorId} role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
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
    </div>
  )
}
