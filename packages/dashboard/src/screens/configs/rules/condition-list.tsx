import { Plus } from 'lucide-react'
import { limits } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { useSeenAttributes } from '../segments/use-seen-attributes.ts'
import { ConditionFields } from './condition-fields.tsx'
import {
  createCondition,
  createSegmentCondition,
  type ConditionDraft,
  type ConditionErrors,
} from './condition-draft.ts'

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
