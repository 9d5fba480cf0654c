import { useState } from 'react'
import type { Tier } from '@signalbox/contract'
import { Dialog } from '../../../components/dialog.tsx'
import type { Matrix } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { AddKeyReview } from './add-key-review.tsx'
import { KeyForm } from './key-form.tsx'
import { freshDraft, readDraft } from './key-draft.ts'

interface AddKeyDialogProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly tier: Tier
  readonly onClose: () => void
}

/**
 * Adds a key to the schema in two steps: its definition, and the effect. The code remains the source of the
 * definition: the second step shows the line to add there.
 */
export function AddKeyDialog({ schema, matrix, tier, onClose }: AddKeyDialogProps) {
  const [draft, setDraft] = useState(() => freshDraft(tier))
  const [isReviewed, setReviewed] = useState(false)
  const read = readDraft(draft, Object.keys(schema.schema))
  return (
    <Dialog
      shape="drawer"
      isForm
      title={isReviewed && read.ok ? `Review ${read.name}` : 'Add a key'}
      description={`In the schema ${schema.name}. Nothing changes until you add it.`}
      onClose={onClose}
    >
      {isReviewed && read.ok ? (
        <AddKeyReview
          schema={schema}
          environments={matrix.environments}
          name={read.name}
          definition={read.definition}
          onAdded={onClose}
          onBack={() => setReviewed(false)}
        />
      ) : (
        <KeyForm
          schema={schema}
          draft={draft}
          read={read}
          onDraft={setDraft}
          onReview={() => setReviewed(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
