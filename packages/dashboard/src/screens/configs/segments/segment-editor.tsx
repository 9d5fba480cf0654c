import { useEffect, useMemo, useRef, useState } from 'react'
import { useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { Overtaken } from '../../../components/overtaken.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import {
  noSegmentErrors,
  parseGroups,
  toDraftText,
  toSegmentDraft,
  type SegmentDraft,
} from './segment-draft.ts'
import { SegmentFields, segmentPointers } from './segment-fields.tsx'
import { SegmentReview } from './segment-review.tsx'
import type { Groups, Segment } from './use-segments.ts'

interface SegmentEditorProps {
  /** Holds the segment to change. `undefined`: a new one is created. */
  readonly segment: Segment | undefined
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}

/** The first field gets the focus: it is what the person has to fill in. */
const drawer = { shape: 'drawer', isForm: true } as const

/** Creates a segment, or changes one after a review of every flag that changes with it. */
export function SegmentEditor({ segment, onSaved, onClose }: SegmentEditorProps) {
  const edits = useSegmentEdits(segment)
  const [reviewed, setReviewed] = useState<Groups>()
  const [isHeld, setHeld] = useState(false)
  const { base, draft } = edits
  const change = useMemo(
    () => reviewed && { description: draft.description.trim(), anyOf: reviewed },
    [reviewed, draft.description],
  )
  // Escape, the cross or a press beside the drawer loses no edits. *Cancel* does.
  const close = () => (edits.isEdited ? setHeld(true) : onClose())
  if (base !== undefined && change !== undefined) {
    return (
      <Dialog
        key="review"
        {...drawer}
        title={`Review ${base.name}`}
        description="Nothing is live until you save. All flags change together, or none."
        onClose={() => setReviewed(undefined)}
      >
        <OvertakenBy segment={segment} edits={edits} onTaken={() => setReviewed(undefined)} />
        <SegmentReview
          segment={base}
          change={change}
          back="Keep editing"
          action="Save"
          done={`Saved ${base.name}`}
          onBack={() => setReviewed(undefined)}
          onSaved={() => onSaved(base.name)}
        />
      </Dialog>
    )
  }
  return (
    <Dialog
      key="edit"
      {...drawer}
      title={base === undefined ? 'New segment' : `Edit ${base.name}`}
      description="A segment is a named group of users. The rules of any flag can use it."
      onClose={close}
    >
      <OvertakenBy segment={segment} edits={edits} onTaken={() => setHeld(false)} />
      <EditorForm
        edits={edits}
        isHeld={isHeld}
        onReview={setReviewed}
        onSaved={onSaved}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Holds what is edited, and the version of the segment that the edits are based on. */
function useSegmentEdits(segment: Segment | undefined) {
  const [base, setBase] = useState(segment)
  const [draft, setDraft] = useState(() => toSegmentDraft(segment))
  const [start, setStart] = useState(() => toDraftText(draft))
  return {
    base,
    draft,
    setDraft,
    isEdited: toDraftText(draft) !== start,
    /** Keeps the edits, on top of what somebody else has saved. */
    keepMine: (latest: Segment) => {
      setStart(toDraftText(toSegmentDraft(latest)))
      setBase(latest)
    },
    /** Drops the edits for what somebody else has saved. */
    takeTheirs: (latest: Segment) => {
      const next = toSegmentDraft(latest)
      setDraft(next)
      setStart(toDraftText(next))
      setBase(latest)
    },
  }
}

type Edits = ReturnType<typeof useSegmentEdits>

interface EditorFormProps {
  readonly edits: Edits
  /** Says whether somebody tried to close the drawer over their edits. */
  readonly isHeld: boolean
  readonly onReview: (anyOf: Groups) => void
  readonly onSaved: (name: string) => void
  readonly onCancel: () => void
}

function EditorForm({ edits, isHeld, onReview, onSaved, onCancel }: EditorFormProps) {
  const { base, draft, setDraft, isEdited } = edits
  const [errors, setErrors] = useState(noSegmentErrors)
  const { create, isPending, problem } = useCreate(onSaved)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // After the first condition, which takes the focus wherever it is added.
    form.current?.querySelector('input')?.focus()
  }, [])
  const submit = () => {
    const parsed = parseGroups(draft.groups)
    if ('errors' in parsed) setErrors(parsed.errors)
    else if (base !== undefined) onReview(parsed.anyOf)
    else if (!isPending) create(draft, parsed.anyOf)
  }
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FormProblem problem={problem} fields={segmentPointers} />
      <SegmentFields
        draft={draft}
        isNew={base === undefined}
        errors={errors}
        problem={problem}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          setErrors(noSegmentErrors)
        }}
      />
      <DialogActions>
        {isHeld && (
          <span role="status" className="mr-auto self-center text-sm text-muted">
            Not saved yet. Cancel discards your edits.
          </span>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          pending={isPending}
          disabled={base !== undefined && !isEdited}
        >
          {base === undefined ? 'Create segment' : 'Review'}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Creates a segment. No flag uses it yet, so nothing is reviewed. */
function useCreate(onSaved: (name: string) => void) {
  const { mutate, isPending, error } = useWrite('POST /organizations/{org_id}/segments')
  const create = (draft: SegmentDraft, anyOf: Groups) => {
    const [name, description] = [draft.name.trim(), draft.description.trim()]
    mutate({
      body: { name, anyOf, ...(description !== '' && { description }) },
      onSuccess: () => {
        showToast({ text: `Created ${name}. Rules can use it now.` })
        onSaved(name)
      },
    })
  }
  return { create, isPending, problem: error }
}

interface OvertakenByProps {
  readonly segment: Segment | undefined
  readonly edits: Edits
  readonly onTaken: () => void
}

/** Says that somebody else has saved the segment, and lets the person choose. */
function OvertakenBy({ segment, edits, onTaken }: OvertakenByProps) {
  const { base, isEdited, keepMine, takeTheirs } = edits
  const isOvertaken = segment !== undefined && segment.version !== base?.version
  if (!isOvertaken) return null
  return (
    <Overtaken
      onTakeTheirs={() => {
        takeTheirs(segment)
        onTaken()
      }}
      onKeepMine={isEdited ? () => keepMine(segment) : undefined}
    >
      {segment.updatedBy.name} saved version {segment.version} while you were editing.
    </Overtaken>
  )
}
