import { useState } from 'react'
import type { Tier } from '@signalbox/contract'
import { Dialog } from '../../../components/dialog.tsx'
import type { Matrix } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { AddKeyReview } from './add-key-review.tsx'
import { KeyForm } from './key-form.tsx'
import { freshDraft, readDraft } from './key-draft.ts'
import { toPutBody } from './to-put-body.ts'

interface AddKeyDialogProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly tier: Tier
  /** Called when the key exists. */
  readonly onAdded: (key: string) => void
  readonly onClose: () => void
}

/**
 * Adds a key to the schema in two steps: its definition with a value in each environment, and the effect. The second
 * step shows the line for the code.
 */
export function AddKeyDialog(props: AddKeyDialogProps) {
  const { schema, matrix, tier, onAdded, onClose } = props
  const [draft, setDraft] = useState(() => freshDraft(tier))
  const [isReviewed, setReviewed] = useState(false)
  const read = readDraft(draft, Object.keys(schema.schema))
  return (
    <Dialog
      shape="drawer"
      isForm
      title={
        isReviewed && read.ok
          ? `Review ${read.name}`
          : `Add a ${tier === 'featureFlags' ? 'flag' : 'key'}`
      }
      description={`To the schema ${schema.name}. ${isReviewed ? 'Nothing is saved yet.' : 'You review it before it is saved.'}`}
      onClose={onClose}
    >
      {isReviewed && read.ok ? (
        <AddKeyReview
          schema={schema}
          environments={matrix.environments}
          newKey={read}
          onAdded={() => onAdded(read.name)}
          onBack={() => setReviewed(false)}
        />
      ) : (
        <KeyForm
          schema={schema}
          environments={matrix.environments}
          draft={draft}
          read={read}
          body={read.ok ? toPutBody(schema, read) : undefined}
          onDraft={setDraft}
          onReview={() => setReviewed(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
