import { Plus, Trash2 } from 'lucide-react'
import { dealingNames, limits, targetingKey } from '@signalbox/contract'
import { useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from '../../../components/button.tsx'
import { useSeenAttributes } from '../segments/use-seen-attributes.ts'
import { SegmentPicker } from '../segments/segment-picker.tsx'
import {
  createCondition,
  createSegmentCondition,
  type ConditionDraft,
  type ConditionErrors,
} from './condition-draft.ts'
import { conditionTests, shareTest, type ConditionTest, type TestGroup } from './condition-tests.ts'

interface ConditionListProps {
  readonly legend: string
  readonly conditions: readonly ConditionDraft[]
  readonly errors: ConditionErrors
  /** Refers to the list of attributes to propose. */
  readonly listId: string
  /** Says whether a condition may ask for a segment. */
  readonly hasSegments: boolean
  readonly onChange: (conditions: readonly ConditionDraft[]) => void
}

/** Edits conditions that must all hold: of a rule, or of a group of a segment. */
export function ConditionList(props: ConditionListProps) {
  const { legend, conditions, errors, listId, hasSegments, onChange } = props
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{legend}</legend>
      {conditions.map((condition, index) => (
        <ConditionFields
          key={condition.id}
          condition={condition}
          number={index + 1}
          listId={listId}
          hasSegments={hasSegments}
          attributeError={errors.attributes.get(condition.id)}
          valueError={errors.values.get(condition.id)}
          onChange={(next) => onChange(conditions.with(index, next))}
          onRemove={() => onChange(conditions.toSpliced(index, 1))}
        />
      ))}
      {conditions.length < limits.conditionsPerRule && (
        <div className="flex flex-wrap gap-2">
          <Button icon={Plus} onClick={() => onChange([...conditions, createCondition()])}>
            Add condition
          </Button>
          {hasSegments && (
            <Button icon={Plus} onClick={() => onChange([...conditions, createSegmentCondition()])}>
              Add segment
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}

interface AttributeNamesProps {
  readonly id: string
  /** Lists the attributes of what is being edited. */
  readonly names: readonly string[]
}

/** Holds the attributes that the fields of conditions propose: these, and those of other flags and segments. Any can be typed. */
export function AttributeNames({ id, names }: AttributeNamesProps) {
  const attributes = useSeenAttributes()
  return (
    <datalist id={id}>
      {[...new Set([...names, ...attributes.keys()])].toSorted().map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}

interface ConditionFieldsProps {
  readonly condition: ConditionDraft
  readonly number: number
  /** Refers to the list of attributes to propose. */
  readonly listId: string
  /** Says whether the condition may ask for a segment. */
  readonly hasSegments: boolean
  readonly attributeError: string | undefined
  readonly valueError: string | undefined
  readonly onChange: (condition: ConditionDraft) => void
  readonly onRemove: () => void
}

const groups: readonly TestGroup[] = [
  'Text',
  'Number',
  'Version',
  'Yes or no',
  'Any type',
  'Share',
  'Segment',
]

/** Lists the tests that the menu offers. A list of mixed types is offered only where there is one. */
function offeredTests(group: TestGroup, current: ConditionTest): readonly ConditionTest[] {
  return conditionTests.filter(
    (test) => test.group === group && (test.id !== 'any of' || current === test),
  )
}

/** Edits one condition: an attribute, how it is compared, and with what. */
function ConditionFields(props: ConditionFieldsProps) {
  const { condition, number, listId, attributeError, valueError, onChange, onRemove } = props
  const { attribute } = condition
  const errorId = useId()
  const group = useRef<HTMLDivElement>(null)
  const isSegment = condition.test.field === 'segment'
  const isNew = useRef(attribute === '' && condition.text === '')
  useEffect(() => {
    if (isNew.current) group.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [])
  const error = attributeError ?? valueError
  return (
    <div
      ref={group}
      role="group"
      aria-label={`Condition ${number}`}
      className="flex flex-col gap-1 rounded-md bg-raised p-2"
    >
      <div className="flex flex-wrap items-start gap-2">
        {!isSegment && (
          <input
            data-first=""
            aria-label="Attribute"
            aria-invalid={attributeError !== undefined || undefined}
            aria-describedby={attributeError === undefined ? undefined : errorId}
            placeholder="Attribute, such as country"
            className="control flex-1 basis-40 sm:basis-32 font-mono"
            list={listId}
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            value={attribute}
            onChange={({ target }) => onChange({ ...condition, attribute: target.value })}
          />
        )}
        <TestSelect {...props} />
        {isSegment ? (
          <SegmentPicker
            name={condition.text}
            errorId={valueError === undefined ? undefined : errorId}
            onPick={(text) => onChange({ ...condition, text })}
          />
        ) : (
          <ValueField {...props} errorId={errorId} />
        )}
        <IconButton label={`Remove condition ${number}`} icon={Trash2} onClick={onRemove} />
      </div>
      {error !== undefined && (
        <p id={errorId} role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
      {condition.test.id === 'share' && <DealNote {...props} />}
    </div>
  )
}

/** Says how an imported share chooses its users, and offers to choose them anew. */
function DealNote({ condition, onChange }: ConditionFieldsProps) {
  const { deal } = condition
  const [imported] = useState(deal)
  if (imported === undefined) return null
  const product = dealingNames[imported.as]
  const isKept = deal !== undefined
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span
        role="status"
        className={`min-w-0 flex-1 basis-56 ${isKept ? 'text-muted' : 'text-warn'}`}
      >
        {isKept
          ? `Assigned as in ${product}: the same users get it as before the import.`
          : `Assigned again: when you save, some users lose it and others get it. The share no longer matches ${product}.`}
      </span>
      <Button onClick={() => onChange({ ...condition, deal: isKept ? undefined : imported })}>
        {isKept ? 'Assign again' : `Assign as in ${product}`}
      </Button>
    </p>
  )
}

/** Selects how the attribute is compared. */
function TestSelect({ condition, hasSegments, onChange }: ConditionFieldsProps) {
  const { test, not } = condition
  const choose = (value: string) => {
    const [id, negated] = value.split('!')
    const next = conditionTests.find((one) => one.id === id)
    if (next === undefined) return
    // The name of a segment is no value, and a value is no name.
    const isOther = (next.field === 'segment') !== (test.field === 'segment')
    const text = isOther ? '' : condition.text
    // A share is of users, unless somebody names another attribute.
    const attribute =
      next === shareTest && condition.attribute === '' ? targetingKey : condition.attribute
    onChange({ ...condition, attribute, text, test: next, not: negated !== undefined })
  }
  return (
    <select
      aria-label="Comparison"
      className="control flex-1 basis-40 sm:basis-32"
      value={`${test.id}${not ? '!' : ''}`}
      onChange={({ target }) => choose(target.value)}
    >
      {(hasSegments ? groups : groups.slice(0, -1)).map((group) => (
        <optgroup key={group} label={group}>
          {offeredTests(group, test).flatMap(({ id, words: [holds, negation] }) => [
            <option key={id} value={id}>
              {holds}
            </option>,
            <option key={`${id}!`} value={`${id}!`}>
              {negation}
            </option>,
          ])}
        </optgroup>
      ))}
    </select>
  )
}

function ValueField({
  condition,
  valueError,
  errorId,
  onChange,
}: ConditionFieldsProps & { readonly errorId: string }) {
  const { test, text } = condition
  const valuesId = useId()
  const valuesByAttribute = useSeenAttributes()
  if (test.field === 'none') return null
  const shared = {
    'aria-label': test.field === 'lines' ? 'Values, one per line' : 'Value',
    'aria-invalid': valueError === undefined ? undefined : true,
    'aria-describedby': valueError === undefined ? undefined : errorId,
    className: 'control flex-1 basis-40 sm:basis-32 font-mono',
    autoComplete: 'off',
    spellCheck: false,
    value: text,
  }
  if (test.field === 'lines') {
    return (
      <textarea
        {...shared}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        placeholder={test.placeholder ?? 'One per line'}
        onChange={({ target }) => onChange({ ...condition, text: target.value })}
      />
    )
  }
  return (
    <>
      <input
        {...shared}
        list={valuesId}
        placeholder={test.placeholder ?? (test.field === 'number' ? 'Number' : 'Value')}
        inputMode={test.field === 'number' ? 'decimal' : undefined}
        onChange={({ target }) => onChange({ ...condition, text: target.value })}
      />
      <datalist id={valuesId}>
        {(valuesByAttribute.get(condition.attribute.trim()) ?? []).map((value) => (
          <option key={`${typeof value} ${value}`} value={String(value)} />
        ))}
      </datalist>
    </>
  )
}
