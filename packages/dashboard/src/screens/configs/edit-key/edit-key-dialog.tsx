import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { Overtaken, useBase } from '../../../components/overtaken.tsx'
import { readDraft, type DraftField, type KeyDraft } from '../add-key/key-draft.ts'
import { KeyFields } from '../add-key/key-fields.tsx'
import { findOtherConstraints } from '../add-key/limits.ts'
import { describeConstraints } from '../describe-key.ts'
import type { Matrix } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { EditKeyReview } from './edit-key-review.tsx'
import { listDifferences, mergeKey, toDraft, toFactText, type ShownKey } from './key-edits.ts'

interface EditKeyDialogProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly name: string
  readonly shownKey: ShownKey
  readonly onClose: () => void
}

/** Changes the definition of a key in two steps: the fields, and the effect. */
export function EditKeyDialog(props: EditKeyDialogProps) {
  const { schema, matrix, name, shownKey, onClose } = props
  const [draft, setDraft] = useState(() => toDraft(name, shownKey))
  const [isReviewed, setReviewed] = useState(false)
  const { isOvertaken, rebase } = useBase(toFactText(shownKey))
  const read = readDraft(draft, [])
  const edited = read.ok ? mergeKey(shownKey, read.definition) : undefined
  return (
    <Dialog
      shape="drawer"
      isForm
      title={isReviewed ? `Review ${name}` : `Edit ${name}`}
      description={`In the schema ${schema.name}. Nothing is saved before your review.`}
      onClose={onClose}
    >
      {isOvertaken && (
        <Overtaken
          onTakeTheirs={() => {
            setDraft(toDraft(name, shownKey))
            setReviewed(false)
            rebase()
          }}
          onKeepMine={rebase}
        >
          Somebody else changed this key while you were editing.
        </Overtaken>
      )}
      {isReviewed && edited !== undefined ? (
        <EditKeyReview
          schema={schema}
          environments={matrix.environments}
          name={name}
          before={shownKey}
          after={edited}
          isOvertaken={isOvertaken}
          onBack={() => setReviewed(false)}
          onSaved={onClose}
        />
      ) : (
        <EditKeyForm
          draft={draft}
          otherConstraints={toOtherConstraints(shownKey, draft)}
          errorOf={(field) => (read.ok ? undefined : read.errors.get(field))}
          isChanged={
            !isOvertaken && edited !== undefined && listDifferences(shownKey, edited).length > 0
          }
          onDraft={setDraft}
          onReview={() => setReviewed(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

/** Returns the constraints that the form has no field for, in words. Another type has none of them. */
function toOtherConstraints({ type, constraints = {} }: ShownKey, draft: KeyDraft): string {
  return draft.type === type ? describeConstraints(findOtherConstraints(type, constraints)) : ''
}

interface EditKeyFormProps {
  readonly draft: KeyDraft
  readonly otherConstraints: string
  readonly errorOf: (field: DraftField) => string | undefined
  readonly isChanged: boolean
  readonly onDraft: (draft: KeyDraft) => void
  readonly onReview: () => void
  readonly onClose: () => void
}

function EditKeyForm(props: EditKeyFormProps) {
  const { draft, otherConstraints, errorOf, isChanged, onDraft, onReview, onClose } = props
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) onReview()
      }}
    >
      <p className="text-sm text-muted">
        The name can’t change, because applications read it. To rename a key, add a new one and
        delete this one.
      </p>
      <KeyFields
        hasName={false}
        environments={[]}
        draft={draft}
        otherConstraints={otherConstraints}
        errorOf={errorOf}
        onDraft={onDraft}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={!isChanged}>
          Review
        </Button>
      </DialogActions>
    </form>
  )
}
