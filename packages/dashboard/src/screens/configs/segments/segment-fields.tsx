import { useId } from 'react'
import { limits, targetingKey } from '@signalbox/contract'
import { Plus, Trash2 } from 'lucide-react'
import type { ApiProblem } from '../../../api/problem.ts'
import { Button, IconButton } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import { AttributeNames, ConditionList } from '../rules/condition-list.tsx'
import {
  createGroup,
  type GroupDraft,
  type SegmentDraft,
  type SegmentErrors,
} from './segment-draft.ts'

/** Lists the pointers of the errors that {@link SegmentFields} shows. */
export const segmentPointers = ['/name', '/description'] as const

interface SegmentFieldsProps {
  readonly draft: SegmentDraft
  /** Says whether the name can still be chosen. */
  readonly isNew: boolean
  readonly errors: SegmentErrors
  readonly problem: ApiProblem | null
  readonly onChange: (part: Partial<SegmentDraft>) => void
}

/** Renders the fields of a segment: its name, its description, and its groups. */
export function SegmentFields({ draft, isNew, errors, problem, onChange }: SegmentFieldsProps) {
  return (
    <>
      {isNew && (
        <TextField
          label="Name"
          help="Rules refer to the segment by this name, such as staff. You can’t change it later."
          error={problem?.errorOf('/name')}
          value={draft.name}
          required
          spellCheck={false}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
      <TextField
        label="Description (optional)"
        error={problem?.errorOf('/description')}
        value={draft.description}
        maxLength={1000}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <GroupList
        groups={draft.groups}
        errors={errors}
        onChange={(groups) => onChange({ groups })}
      />
    </>
  )
}

interface GroupListProps {
  readonly groups: readonly GroupDraft[]
  readonly errors: SegmentErrors
  readonly onChange: (groups: readonly GroupDraft[]) => void
}

function GroupList({ groups, errors, onChange }: GroupListProps) {
  const listId = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium">
        {groups.length === 1
          ? 'The segment contains users'
          : 'The segment contains users in any of these groups'}
      </legend>
      <AttributeNames id={listId} names={listAttributes(groups)} />
      {groups.map((group, index) => (
        <div key={group.id} className="flex flex-col gap-3">
          {index > 0 && <Or />}
          <Group
            group={group}
            number={index + 1}
            isOnly={groups.length === 1}
            listId={listId}
            errors={errors}
            onChange={(conditions) => onChange(groups.with(index, { ...group, conditions }))}
            onRemove={() => onChange(groups.toSpliced(index, 1))}
          />
        </div>
      ))}
      {groups.length < limits.groupsPerSegment && (
        <div>
          <Button icon={Plus} onClick={() => onChange([...groups, createGroup()])}>
            Add group
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** Returns the attributes of the segment: those that it asks for, and the one that identifies a user. */
function listAttributes(groups: readonly GroupDraft[]): readonly string[] {
  const used = groups.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute))
  return [...new Set([targetingKey, ...used.filter((name) => name !== '')])].toSorted()
}

function Or() {
  return (
    <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  )
}

interface GroupProps {
  readonly group: GroupDraft
  readonly number: number
  /** Says whether it is the only group. A segment keeps one. */
  readonly isOnly: boolean
  readonly listId: string
  readonly errors: SegmentErrors
  readonly onChange: (conditions: GroupDraft['conditions']) => void
  readonly onRemove: () => void
}

function Group({ group, number, isOnly, listId, errors, onChange, onRemove }: GroupProps) {
  const error = errors.groups.get(group.id)
  return (
    <div
      role="group"
      aria-label={`Group ${number}`}
      className="relative flex flex-col rounded-lg border border-line bg-panel p-3"
    >
      <ConditionList
        legend="who meet all of these conditions"
        conditions={group.conditions}
        errors={errors.conditions}
        listId={listId}
        hasSegments={false}
        onChange={onChange}
      />
      {error !== undefined && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
      {!isOnly && (
        <span className="absolute top-1 right-1">
          <IconButton label={`Remove group ${number}`} icon={Trash2} onClick={onRemove} />
        </span>
      )}
    </div>
  )
}
