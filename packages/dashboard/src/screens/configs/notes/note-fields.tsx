import { useState } from 'react'
import { limits } from '@signalbox/contract'
import { Checkbox, TextField } from '../../../components/field.tsx'
import type { DraftField, KeyDraft } from '../add-key/key-draft.ts'

interface NoteFieldsProps {
  readonly draft: KeyDraft
  readonly errorOf: (field: DraftField) => string | undefined
  readonly onDraft: (draft: KeyDraft) => void
}

const summaries = {
  public: 'Owner and tags',
  featureFlags: 'Owner, tags, end date',
  secret: 'Owner, tags, rotation, end date',
} as const

/** Renders the owner of a key, and the end of a flag or a secret. Closed at first, because a key needs neither. */
export function NoteFields({ draft, errorOf, onDraft }: NoteFieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const isFlag = draft.tier === 'featureFlags'
  const change = (part: Partial<KeyDraft>) => onDraft({ ...draft, ...part })
  const isSecret = draft.tier === 'secret'
  const hasErrors = (['owner', 'tags', 'expires', 'rotateEvery', 'runbook'] as const).some(
    (field) => errorOf(field) !== undefined,
  )
  return (
    <details
      open={isOpen || hasErrors}
      className="rounded-md border border-line px-3 py-2"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-7 font-medium">{summaries[draft.tier]}</summary>
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
        {isSecret && <SecretNotes draft={draft} errorOf={errorOf} change={change} />}
        {isFlag && <FlagNotes draft={draft} errorOf={errorOf} change={change} />}
      </div>
    </details>
  )
}

interface NotesOfTierProps extends Pick<NoteFieldsProps, 'draft' | 'errorOf'> {
  readonly change: (part: Partial<KeyDraft>) => void
}

function SecretNotes({ draft, errorOf, change }: NotesOfTierProps) {
  return (
    <>
      <TextField
        type="number"
        min={1}
        max={limits.rotateEveryDays}
        label="Rotate every (days)"
        help="Counted from the last change of the value in each environment. The overview reminds you two weeks and three days before."
        error={errorOf('rotateEvery')}
        value={draft.rotateEveryText}
        onChange={({ target }) => change({ rotateEveryText: target.value })}
      />
      <TextField
        type="date"
        label="End date"
        help="The day on which the secret ends at its issuer."
        error={errorOf('expires')}
        value={draft.expires}
        onChange={({ target }) => change({ expires: target.value })}
      />
      <TextField
        type="url"
        label="Runbook"
        help="The address of a page that says how to replace it."
        placeholder="https://wiki.example.com/rotate"
        error={errorOf('runbook')}
        value={draft.runbook}
        onChange={({ target }) => change({ runbook: target.value })}
      />
    </>
  )
}

function FlagNotes({ draft, errorOf, change }: NotesOfTierProps) {
  return (
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
  )
}
