import { useState } from 'react'
import { limits } from '@signalbox/contract'
import { Checkbox, TextField } from '../../../components/field.tsx'
import type { DraftField, KeyDraft } from '../add-key/key-draft.ts'

interface NoteFieldsProps {
  readonly draft: KeyDraft
  readonly errorOf: (field: DraftField) => string | undefined
  readonly onDraft: (draft: KeyDraft) => void
}

/** Renders the owner of a key, and the end of a flag. Closed at first, because a key needs neither. */
export function NoteFields({ draft, errorOf, onDraft }: NoteFieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const isFlag = draft.tier === 'featureFlags'
  const change = (part: Partial<KeyDraft>) => onDraft({ ...draft, ...part })
  const hasErrors = (['owner', 'tags', 'expires'] as const).some(
    (field) => errorOf(field) !== undefined,
  )
  return (
    <details
      open={isOpen || hasErrors}
      className="rounded-md border border-line px-3 py-2"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-7 font-medium">
        {isFlag ? 'Owner, tags, end date' : 'Owner and tags'}
      </summary>
      <div className="flex flex-col gap-3 pt-3">
        <TextField
          label="Owner"
          help="The person or team to ask about this key."
          error={errorOf('owner')}
          value={draft.owner}
          maxLength={limits.ownerCharacters}
          onChange={({ target }) => change({ owner: target.value })}
        />
        <TextField
          label="Tags"
          help="Separate them with commas: checkout, mobile."
          error={errorOf('tags')}
          value={draft.tagsText}
          spellCheck={false}
          onChange={({ target }) => change({ tagsText: target.value })}
        />
        {isFlag && (
          <>
            <TextField
              type="date"
              label="End date"
              help="The day by which the flag should be gone from your code. After that, the overview reminds you."
              error={errorOf('expires')}
              value={draft.expires}
              onChange={({ target }) => change({ expires: target.value })}
            />
            <Checkbox
              label="Kill switch"
              help="One press on Flags switches it in any environment, including production, without a review. Off means off for everyone. Protected environments still ask for their confirmation."
              checked={draft.isKillSwitch}
              onChange={({ target }) => change({ isKillSwitch: target.checked })}
            />
          </>
        )}
      </div>
    </details>
  )
}
