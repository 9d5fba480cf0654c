import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { limits, type FlagVariant } from '@signalbox/contract'
import { Button, IconButton } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/field.tsx'
import type { DraftField, KeyDraft } from './key-draft.ts'

interface TargetingFieldsProps {
  readonly draft: KeyDraft
  readonly errorOf: (field: DraftField) => string | undefined
  readonly onDraft: (draft: KeyDraft) => void
}

/** Renders what rules may serve beside the value: other values of a public key, or the variants of a flag. */
export function TargetingFields(props: TargetingFieldsProps) {
  const { draft, onDraft } = props
  if (draft.tier === 'featureFlags') return <VariantFields {...props} />
  if (draft.tier === 'secret') return null
  return (
    <Checkbox
      label="Targeted"
      help="Rules may serve other values, such as a higher limit for one plan."
      checked={draft.isTargeted}
      onChange={({ target }) => onDraft({ ...draft, isTargeted: target.checked })}
    />
  )
}

/** Holds the variants that the list begins with: a flag needs one that is off and one that is on. */
const firstVariants: readonly FlagVariant[] = [
  { name: 'control', on: false },
  { name: '', on: true },
]

/** Edits the variants of a flag. Closed at first where it has none, because most flags are on or off. */
function VariantFields({ draft, errorOf, onDraft }: TargetingFieldsProps) {
  const { variants } = draft
  const [isOpen, setOpen] = useState(variants.length > 0)
  const addButton = useRef<HTMLButtonElement>(null)
  const errorId = useId()
  const error = errorOf('variants')
  const hasErrors =
    error !== undefined || variants.some((_, at) => errorOf(`variant ${at}`) !== undefined)
  const put = (next: readonly FlagVariant[]) => onDraft({ ...draft, variants: next })
  return (
    <details
      open={isOpen || hasErrors}
      className="rounded-md border border-line px-3 py-2"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-7 font-medium">Variants</summary>
      <div className="flex flex-col gap-2 pt-2">
        <p className="text-sm text-muted">
          For a flag that is more than on and off. Rules choose a variant. Where none does, the flag
          has the first variant that is on or off like its value.
        </p>
        <ol aria-label="Variants" className="flex flex-col gap-2">
          {variants.map((variant, index) => (
            <VariantRow
              // Variants have no identity but their place.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              variant={variant}
              number={index + 1}
              error={errorOf(`variant ${index}`)}
              stateErrorId={error === undefined ? undefined : errorId}
              onVariant={(next) => put(variants.with(index, next))}
              onRemove={() => {
                put(variants.toSpliced(index, 1))
                addButton.current?.focus()
              }}
            />
          ))}
        </ol>
        {error !== undefined && (
          <div id={errorId} role="alert" className="text-sm text-bad">
            {error}
          </div>
        )}
        {variants.length < limits.variantsPerFlag && (
          <div>
            <Button
              ref={addButton}
              icon={Plus}
              onClick={() =>
                put(variants.length === 0 ? firstVariants : [...variants, { name: '', on: true }])
              }
            >
              Add variant
            </Button>
          </div>
        )}
      </div>
    </details>
  )
}

interface VariantRowProps {
  readonly variant: FlagVariant
  readonly number: number
  readonly error: string | undefined
  /** Refers to what is wrong with the states of all variants. */
  readonly stateErrorId: string | undefined
  readonly onVariant: (variant: FlagVariant) => void
  readonly onRemove: () => void
}

/** Edits one variant: its name, and whether the flag is on with it. One that is new gets the focus. */
function VariantRow(props: VariantRowProps) {
  const { variant, number, error, stateErrorId, onVariant, onRemove } = props
  const { name, on } = variant
  const errorId = useId()
  const field = useRef<HTMLInputElement>(null)
  const isNew = useRef(name === '')
  useEffect(() => {
    if (isNew.current) field.current?.focus()
  }, [])
  return (
    <li className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <input
          ref={field}
          aria-label={`Name of variant ${number}`}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : errorId}
          className="control min-w-0 flex-1 font-mono"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={({ target }) => onVariant({ name: target.value, on })}
        />
        <select
          aria-label={`State with variant ${number}`}
          aria-invalid={stateErrorId === undefined ? undefined : true}
          aria-describedby={stateErrorId}
          className="control w-auto shrink-0"
          value={on ? 'on' : 'off'}
          onChange={({ target }) => onVariant({ name, on: target.value === 'on' })}
        >
          <option>on</option>
          <option>off</option>
        </select>
        <IconButton label={`Remove variant ${number}`} icon={Trash2} onClick={onRemove} />
      </div>
      {error !== undefined && (
        <div id={errorId} role="alert" className="text-sm text-bad">
          {error}
        </div>
      )}
    </li>
  )
}
