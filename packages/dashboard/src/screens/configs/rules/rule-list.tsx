import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { Percent, Plus } from 'lucide-react'
import { findLastAsked, limits } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import { useFocusRefused } from '../../../components/use-focus-refused.ts'
import type { FlagRules } from '../matrix.ts'
import { RuleCard } from './rule-card.tsx'
import {
  moveRule,
  newRule,
  parseRuleDraft,
  toRuleDraft,
  type DraftErrors,
  type RuleDraft,
  type RuledRow,
} from './rule-draft.ts'
import { useRuleDrag } from './use-rule-drag.ts'
import { noConditionErrors } from './condition-draft.ts'
import { AttributeNames, ConditionList } from './condition-list.tsx'
import { ServeFields } from './serve-fields.tsx'

interface RuleListProps {
  /** Describes the key: what its rules may serve. */
  readonly row: RuledRow
  /** Holds what everyone else gets. */
  readonly value: unknown
  readonly rules: FlagRules
  readonly attributes: readonly string[]
  readonly mayWrite: boolean
  readonly onRules: (rules: FlagRules) => void
  readonly onEditing: (isEditing: boolean) => void
}

/** Describes the open form: the place of the rule, and the rule to begin with. */
interface OpenForm {
  readonly index: number
  readonly start: FlagRules[number]
  /** Says that the rule is added at that place, before the one that is there. */
  readonly isNew: boolean
}

const shareOfAllUsers: FlagRules[number] = { when: [], serve: { percent: 10 } }

/** Renders rules in the order in which they are asked. They are moved by the mouse, by the arrow keys, and by buttons. */
export function RuleList(props: RuleListProps) {
  const { row, value, rules, attributes, mayWrite } = props
  const list = useRef<HTMLOListElement>(null)
  const { form, moved, open, close, finish, move, remove } = useRuleEdits(props, list)
  const drag = useRuleDrag(list, move)
  const lastAsked = findLastAsked(rules)
  const formElement = form && (
    <RuleForm
      row={row}
      start={form.start}
      number={form.index + 1}
      attributes={attributes}
      onDone={finish}
      onCancel={close}
    />
  )
  const added = form?.isNew === true && <li key="new">{formElement}</li>
  return (
    <div className="flex flex-col gap-2">
      {rules.length === 0 && form === undefined && (
        <p className="text-muted">No rules: everyone gets the same.</p>
      )}
      <ol ref={list} aria-label="Rules" className="flex flex-col gap-2">
        {rules.flatMap((rule, index) => [
          form?.index === index && added,
          <li key={toKey(rules, index)} data-rule={index}>
            {form?.index === index && !form.isNew ? (
              formElement
            ) : (
              <RuleCard
                rule={rule}
                index={index}
                count={rules.length}
                mayWrite={mayWrite && form === undefined}
                decidedBy={index > lastAsked ? lastAsked : undefined}
                drag={drag}
                onMove={move}
                onEdit={() => open({ index, start: rule, isNew: false })}
                onRemove={() => remove(index)}
              />
            )}
          </li>,
        ])}
        {form?.index === rules.length && added}
      </ol>
      <span role="status" className="sr-only">
        {moved !== undefined && `Moved to position ${moved + 1} of ${rules.length}.`}
      </span>
      {mayWrite && form === undefined && (
        <AddButtons
          row={row}
          value={value}
          lastAsked={lastAsked}
          count={rules.length}
          onOpen={open}
        />
      )}
    </div>
  )
}

/** Holds the open form, and moves the focus along with what a person edits. */
function useRuleEdits(
  { rules, onRules, onEditing }: RuleListProps,
  list: RefObject<HTMLOListElement | null>,
) {
  const [form, setForm] = useState<OpenForm>()
  const [moved, setMoved] = useState<number>()
  const focusNext = useRef<string>(undefined)
  useLayoutEffect(() => {
    const selector = focusNext.current
    focusNext.current = undefined
    if (selector === undefined) return
    list.current?.parentElement?.querySelector<HTMLElement>(selector)?.focus()
  })
  const show = (next: OpenForm | undefined) => {
    setForm(next)
    onEditing(next !== undefined)
  }
  const close = () => {
    focusNext.current = `[data-edit="${form?.index ?? 0}"], [data-add]`
    show(undefined)
  }
  return {
    form,
    moved,
    open: show,
    close,
    finish: (rule: FlagRules[number]) => {
      if (form === undefined) return
      onRules(rules.toSpliced(form.index, form.isNew ? 0 : 1, rule))
      close()
    },
    move: (from: number, to: number) => {
      if (to < 0 || to >= rules.length || to === from) return
      focusNext.current = `[data-grip="${to}"]`
      setMoved(to)
      onRules(moveRule(rules, from, to))
    },
    remove: (index: number) => {
      focusNext.current = '[data-add]'
      onRules(rules.toSpliced(index, 1))
    },
  }
}

interface AddButtonsProps extends Pick<RuleListProps, 'row' | 'value'> {
  /** Holds the place before the rule that decides for everyone. */
  readonly lastAsked: number
  readonly count: number
  readonly onOpen: (form: OpenForm) => void
}

function AddButtons({ row, value, lastAsked, count, onOpen }: AddButtonsProps) {
  if (count >= limits.rulesPerFlag)
    return <p className="text-sm text-muted">A key has at most {limits.rulesPerFlag} rules.</p>
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        icon={Plus}
        data-add=""
        onClick={() => onOpen({ index: lastAsked, start: newRule(row, value), isNew: true })}
      >
        Add rule
      </Button>
      {row.tier === 'featureFlags' && row.variants === undefined && (
        <Button
          icon={Percent}
          onClick={() => onOpen({ index: count, start: shareOfAllUsers, isNew: true })}
        >
          Roll out by percentage
        </Button>
      )}
    </div>
  )
}

/** Returns a key that moves with its rule: equal rules are counted. */
function toKey(rules: FlagRules, index: number): string {
  const text = JSON.stringify(rules[index])
  const before = rules.slice(0, index).filter((rule) => JSON.stringify(rule) === text).length
  return `${text}#${before}`
}

interface RuleFormProps {
  readonly row: RuledRow
  readonly start: FlagRules[number]
  readonly number: number
  /** Lists the attributes to propose. Any other can be typed. */
  readonly attributes: readonly string[]
  readonly onDone: (rule: FlagRules[number]) => void
  readonly onCancel: () => void
}

const noErrors: DraftErrors = { conditions: noConditionErrors }

/** Edits one rule. It is staged by *Done*; until then nothing of it counts. */
function RuleForm({ row, start, number, attributes, onDone, onCancel }: RuleFormProps) {
  const [draft, setDraft] = useState(() => toRuleDraft(start))
  const [errors, setErrors] = useState(noErrors)
  const form = useRef<HTMLFormElement>(null)
  const listId = useId()
  useFocusRefused(form, errors === noErrors ? undefined : errors)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [])
  const change = (part: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...part })
    setErrors(noErrors)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseRuleDraft(draft, row)
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
      <ServeFields row={row} draft={draft} listId={listId} error={errors.serve} onChange={change} />
      <TextField
        label="Name (optional)"
        help="Such as staff. Signalbox shows it instead of the conditions."
        maxLength={limits.ruleTextCharacters}
        value={draft.description}
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
