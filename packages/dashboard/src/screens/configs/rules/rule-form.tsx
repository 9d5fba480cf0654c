import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { Plus } from 'lucide-react'
import { limits } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import type { FlagRules } from '../matrix.ts'
import { ConditionFields } from './condition-fields.tsx'
import {
  createCondition,
  parseRuleDraft,
  toRuleDraft,
  type DraftErrors,
  type RuleDraft,
} from './rule-draft.ts'
import { ServeFields } from './serve-fields.tsx'

interface RuleFormProps {
  readonly start: FlagRules[number]
  readonly number: number
  /** Lists the attributes to propose. Any other can be typed. */
  readonly attributes: readonly string[]
  readonly onDone: (rule: FlagRules[number]) => void
  readonly onCancel: () => void
}

const noErrors: DraftErrors = { attributes: new Map(), values: new Map() }

/** Edits one rule. It is staged by *Done*; until then nothing of it counts. */
export function RuleForm({ start, number, attributes, onDone, onCancel }: RuleFormProps) {
  const [draft, setDraft] = useState(() => toRuleDraft(start))
  const [errors, setErrors] = useState(noErrors)
  const form = useRef<HTMLFormElement>(null)
  const listId = useId()
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [])
  const change = (part: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...part })
    setErrors(noErrors)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseRuleDraft(draft)
    if ('errors' in parsed) setErrors(parsed.errors)
    else onDone(parsed.rule)
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Rule ${number}`}
      className="flex flex-col gap-4 rounded-lg border border-accent bg-panel p-3"
      onSubmit={submit}
      onKeyDown={(event) => cancelOnEscape(event, onCancel)}
    >
      <datalist id={listId}>
        {attributes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Conditions draft={draft} errors={errors} listId={listId} onChange={change} />
      <ServeFields draft={draft} listId={listId} error={errors.percent} onChange={change} />
      <TextField
        label="Name (optional)"
        help="Such as staff. It stands for the conditions wherever the flag is shown."
        maxLength={limits.ruleTextCharacters}
        value={draft.description}
        autoComplete="off"
        onChange={({ target }) => change({ description: target.value })}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary">
          Done
        </Button>
      </div>
    </form>
  )
}

interface ConditionsProps {
  readonly draft: RuleDraft
  readonly errors: DraftErrors
  readonly listId: string
  readonly onChange: (part: Partial<RuleDraft>) => void
}

function Conditions({ draft: { conditions }, errors, listId, onChange }: ConditionsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">
        {conditions.length === 0 ? 'For everyone' : 'For everyone for whom all of this holds'}
      </legend>
      {conditions.map((condition, index) => (
        <ConditionFields
          key={condition.id}
          condition={condition}
          number={index + 1}
          listId={listId}
          attributeError={errors.attributes.get(condition.id)}
          valueError={errors.values.get(condition.id)}
          onChange={(next) => onChange({ conditions: conditions.with(index, next) })}
          onRemove={() => onChange({ conditions: conditions.toSpliced(index, 1) })}
        />
      ))}
      {conditions.length < limits.conditionsPerRule && (
        <div>
          <Button
            icon={Plus}
            onClick={() => onChange({ conditions: [...conditions, createCondition()] })}
          >
            Add condition
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** Ends the edit of the rule, and leaves the drawer open. */
function cancelOnEscape(event: KeyboardEvent, onCancel: () => void): void {
  if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.stopPropagation()
  onCancel()
}
