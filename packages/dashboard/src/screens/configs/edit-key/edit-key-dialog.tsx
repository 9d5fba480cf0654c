import { useState } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Overtaken, useBase } from '../../../components/overtaken.tsx'
import { readDraft, type KeyDraft } from '../add-key/key-draft.ts'
import { KeyForm } from '../add-key/key-form.tsx'
import { findOtherConstraints } from '../add-key/limits.ts'
import { describeConstraints } from '../describe-key.ts'
import type { Matrix, MatrixKey } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { noConfirmation } from '../use-save.ts'
import { EditKeyReview } from './edit-key-review.tsx'
import { listDifferences, mergeKey, toDraft, toFactText, type ShownKey } from './key-edits.ts'
import { describeValueEdits, listValueEdits, toStoredValues } from './stored-values.ts'
import { toReplaceBody } from './to-replace-body.ts'

interface EditKeyDialogProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly row: MatrixKey
  readonly shownKey: ShownKey
  readonly onClose: () => void
}

/** Changes the definition of a key and its values in two steps: the fields, and the effect. */
export function EditKeyDialog(props: EditKeyDialogProps) {
  const { schema, matrix, row, shownKey, onClose } = props
  const { key: name } = row
  const [draft, setDraft] = useState(() => toDraft(name, shownKey))
  const [review, setReview] = useState<{ readonly breaks: ApiProblem | undefined }>()
  const { isOvertaken, rebase } = useBase(`${toFactText(shownKey)} ${toCellsText(row)}`)
  const { read, stored, edited, values, body, isChanged } = readEdit(props, draft)
  const shared = { schema, environments: matrix.environments }
  const takeTheirs = () => {
    setDraft(toDraft(name, shownKey))
    setReview(undefined)
    rebase()
  }
  return (
    <Dialog
      shape="drawer"
      isForm
      title={review === undefined ? `Edit ${name}` : `Review ${name}`}
      description={`In the schema ${schema.name}. ${review === undefined ? 'You review it before it is saved.' : 'Nothing is saved yet.'}`}
      onClose={onClose}
    >
      {isOvertaken && (
        <Overtaken onTakeTheirs={takeTheirs} onKeepMine={rebase}>
          Somebody else changed this key while you were editing.
        </Overtaken>
      )}
      {review !== undefined && edited !== undefined ? (
        <EditKeyReview
          {...shared}
          name={name}
          before={shownKey}
          after={edited}
          values={values}
          isPlain={draft.isPlain === true}
          valueDifferences={describeValueEdits(matrix, stored, values, edited.tier === 'secret')}
          breaks={review.breaks}
          isOvertaken={isOvertaken}
          onBack={() => setReview(undefined)}
          onSaved={onClose}
        />
      ) : (
        <KeyForm
          {...shared}
          hasName={false}
          stored={stored}
          otherConstraints={toOtherConstraints(shownKey, draft)}
          draft={draft}
          read={read}
          body={body}
          isChanged={!isOvertaken && isChanged}
          onDraft={setDraft}
          onReview={(breaks) => setReview({ breaks })}
          onClose={onClose}
        >
          <NameStays />
        </KeyForm>
      )}
    </Dialog>
  )
}

function NameStays() {
  return (
    <p className="text-sm text-muted">
      The name can’t change, because applications read it. To rename a key, add a new one and delete
      this one.
    </p>
  )
}

/** Reads the form: the definition and the values that it changes, and the request that does so. */
function readEdit(
  { schema, matrix, row, shownKey }: Omit<EditKeyDialogProps, 'onClose'>,
  draft: KeyDraft,
) {
  const read = readDraft(draft, [])
  const stored = toStoredValues(matrix, row, draft)
  const edited = read.ok ? mergeKey(shownKey, read.definition) : undefined
  const values = listValueEdits(stored, draft, read)
  const body =
    edited &&
    toReplaceBody(schema, {
      name: row.key,
      key: edited,
      values,
      confirmation: noConfirmation,
      isPlain: draft.isPlain === true,
      expose: shownKey.tier === 'secret' && edited.tier !== 'secret',
    })
  const differences = edited === undefined ? [] : listDifferences(shownKey, edited)
  // A draft with errors can be submitted too, which shows them.
  const isChanged = !read.ok || differences.length > 0 || values.length > 0
  return { read, stored, edited, values, body, isChanged }
}

/** Returns the values that environments set themselves as one text. A secret is represented by its time. */
function toCellsText({ tier, cells }: MatrixKey): string {
  const own = cells.map(({ source, value, updatedAt }) =>
    source === 'set' ? { value: tier === 'secret' ? updatedAt : value } : {},
  )
  return JSON.stringify(own)
}

/** Returns the constraints that the form has no field for, in words. Another type has none of them. */
function toOtherConstraints({ type, constraints = {} }: ShownKey, draft: KeyDraft): string {
  return draft.type === type ? describeConstraints(findOtherConstraints(type, constraints)) : ''
}
