import { useId, type KeyboardEvent } from 'react'
import { secretInput } from '../../../components/field.tsx'
import { toValueText, type MatrixEnvironment } from '../matrix.ts'
import { parseValue, publicValueWarning } from '../parse-value.ts'
import type { StoredValues } from '../edit-key/stored-values.ts'
import type { DraftField, KeyDraft } from './key-draft.ts'

interface ValueFieldsProps {
  readonly environments: readonly MatrixEnvironment[]
  /** Holds the values of a key that exists. `undefined`: it is new. */
  readonly stored: StoredValues | undefined
  readonly draft: KeyDraft
  readonly errorOf: (field: DraftField) => string | undefined
  readonly onDraft: (draft: KeyDraft) => void
}

/** Renders a field for the value in each environment, which may stay empty. */
export function ValueFields(props: ValueFieldsProps) {
  const { environments, stored, draft, errorOf, onDraft } = props
  if (environments.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Value in each environment (optional)</legend>
      {environments.map(({ id, name }) => (
        <ValueField
          key={id}
          name={name}
          draft={draft}
          text={draft.values[id] ?? stored?.get(id)?.text ?? ''}
          emptyText={stored?.get(id)?.emptyText ?? toEmptyText(draft)}
          error={errorOf(`value of ${id}`)}
          onText={(text) => onDraft({ ...draft, values: { ...draft.values, [id]: text } })}
        />
      ))}
    </fieldset>
  )
}

interface ValueFieldProps {
  readonly name: string
  readonly draft: KeyDraft
  readonly text: string
  /** Says what holds while the field is empty. */
  readonly emptyText: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
}

function ValueField({ name, draft, text, emptyText, error, onText }: ValueFieldProps) {
  const id = useId()
  const parsed = parseValue(text, draft.type)
  const warning =
    draft.tier === 'public' && parsed.ok ? publicValueWarning(draft.name, parsed.value) : undefined
  const remark = error ?? warning
  const wiring = {
    id,
    value: text,
    'aria-invalid': error === undefined ? undefined : (true as const),
    'aria-describedby': remark === undefined ? undefined : `${id}-remark`,
  }
  return (
    <div className="grid grid-cols-[9rem_minmax(0,1fr)] items-center gap-x-3 gap-y-1 max-sm:grid-cols-1">
      <label htmlFor={id} className="min-w-0 wrap-anywhere text-muted">
        {name}
      </label>
      {draft.type === 'boolean' ? (
        <select className="control" {...wiring} onChange={({ target }) => onText(target.value)}>
          <option value="">{emptyText}</option>
          <option value="true">on</option>
          <option value="false">off</option>
        </select>
      ) : (
        // A secret may have several lines: an input would drop them.
        <textarea
          className={`control resize-none font-mono ${draft.tier === 'secret' ? 'masked' : ''}`}
          rows={Math.min(6, text.split('\n').length)}
          placeholder={emptyText}
          inputMode={draft.type === 'number' ? 'decimal' : undefined}
          {...wiring}
          {...secretInput}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={submitOnEnter}
        />
      )}
      {remark !== undefined && (
        <div
          id={`${id}-remark`}
          role="alert"
          className={`text-sm sm:col-start-2 ${error === undefined ? 'text-warn' : 'text-bad'}`}
        >
          {remark}
        </div>
      )}
    </div>
  )
}

/** Submits the form on Enter. With Shift or Alt, Enter inserts a line break. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, altKey, nativeEvent, currentTarget } = event
  if (key !== 'Enter' || shiftKey || altKey || nativeEvent.isComposing) return
  event.preventDefault()
  currentTarget.form?.requestSubmit()
}

/** Describes an environment without a value of a new key. */
function toEmptyText({ defaultText, type }: KeyDraft): string {
  if (defaultText === '') return 'no value'
  return `default: ${type === 'boolean' ? toValueText(defaultText === 'true') : defaultText}`
}
