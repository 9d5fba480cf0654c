import { findChoices, submitOnEnter } from '../parse-value.ts'
import type { RuledRow } from './rule-draft.ts'

interface ServedFieldProps {
  readonly row: RuledRow
  readonly label: string
  readonly text: string
  /** Refers to what is wrong with the text. `undefined`: nothing. */
  readonly errorId: string | undefined
  readonly disabled?: boolean
  readonly placeholder?: string | undefined
  readonly onText: (text: string) => void
}

/** Returns what a rule may serve where that is a short list: the variants, on and off, or the values that the key allows. */
export function findServedChoices(row: RuledRow): readonly string[] | undefined {
  const { type, variants } = row
  return (
    variants?.map(({ name }) => name) ?? (type === 'boolean' ? ['on', 'off'] : findChoices(row))
  )
}

/** Edits a value as its type asks, or chooses from the list of what there is. */
export function ServedField(props: ServedFieldProps) {
  const { row, label, text, errorId, disabled, placeholder, onText } = props
  const options = findServedChoices(row)
  const field = {
    'aria-label': label,
    'aria-invalid': errorId !== undefined || undefined,
    'aria-describedby': errorId,
    className: 'control min-w-0 flex-1 font-mono',
    disabled,
    value: text,
  }
  if (options !== undefined) {
    return (
      <select {...field} onChange={({ target }) => onText(target.value)}>
        {/* Shows what is stored and no longer allowed. */}
        {!options.includes(text) && <option value={text}>{text === '' ? 'Choose' : text}</option>}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  }
  const typed = { ...field, placeholder, autoComplete: 'off', spellCheck: false }
  if (row.type === 'number') {
    return <input {...typed} inputMode="decimal" onChange={({ target }) => onText(target.value)} />
  }
  // A text may have several lines: an input would drop them.
  return (
    <textarea
      {...typed}
      className={`${typed.className} resize-none`}
      rows={Math.min(6, text.split('\n').length)}
      onChange={({ target }) => onText(target.value)}
      onKeyDown={row.type === 'json' ? undefined : submitOnEnter}
    />
  )
}
