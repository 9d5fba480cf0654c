import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { limits } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import type { FlagRules } from '../matrix.ts'
import { noConditionErrors } from './condition-draft.ts'
import { AttributeNames, ConditionList } from './condition-list.tsx'
import { parseRuleDraft, toRuleDraft, type DraftErrors, type RuleDraft } from './rule-draft.ts'
import { ServeFields } from './serve-fields.tsx'

interface RuleFormProps {
  readonly start: FlagRules[number]
  readonly number: number
  /** Lists the attributes to propose. Any other can be typed. */
  readonly attributes: readonly string[]
  readonly onDone: (rule: FlagRules[number]) => void
  readonly onCancel: () => void
}

const noErrors: DraftErrors = { conditions: noConditionErrors }

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
      <AttributeNames id={listId} names={attributes} />
      <ConditionList
        legend={
          draft.conditions.length === 0
            ? 'For everyone'
            : 'For users who meet all of these conditions'
        }
        conditions={draft.conditions}
        errors={errors.conditions}
        listId={listId}
        hasSegments
        onChange={(conditions) => change({ conditions })}
      />
      <ServeFields draft={draft} listId={listId} error={errors.percent} onChange={change} />
      <TextField
        label="Name (optional)"
        help="Such as staff. Signalbox shows it instead of the conditions."
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

/** Ends the edit of the rule, and leaves the drawer open. */
function cancelOnEscape(event: KeyboardEvent, onCancel: () => void): void {
  if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.stopPropagation()
  onCancel()
}
