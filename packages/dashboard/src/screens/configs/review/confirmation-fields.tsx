import { TextArea, TextField } from '../../../components/field.tsx'
import type { Required } from './review-lines.ts'

/** Describes what was typed to confirm a change. */
export interface TypedConfirmation {
  /** By the name of the environment. */
  readonly names: Readonly<Record<string, string>>
  readonly comment: string
}

/** Holds a confirmation that nothing was typed for yet. */
export const nothingTyped: TypedConfirmation = { names: {}, comment: '' }

/** Returns whether everything that is asked for was typed. */
export function isConfirmed(required: Required, typed: TypedConfirmation): boolean {
  return (
    required.names.every((name) => typed.names[name] === name) &&
    (!required.comment || typed.comment.trim() !== '')
  )
}

interface ConfirmationFieldsProps {
  readonly required: Required
  readonly typed: TypedConfirmation
  readonly onTyped: (typed: TypedConfirmation) => void
}

/** Shows a comment, and the name of each environment that wants its changes confirmed. */
export function ConfirmationFields({ required, typed, onTyped }: ConfirmationFieldsProps) {
  return (
    <>
      <TextArea
        label={required.comment ? 'Why' : 'Why (optional)'}
        help="Kept with the version in the history."
        rows={2}
        maxLength={1000}
        required={required.comment}
        value={typed.comment}
        onChange={({ target }) => onTyped({ ...typed, comment: target.value })}
      />
      {required.names.map((name) => (
        <TextField
          key={name}
          label={`Type ${name} to change it`}
          autoComplete="off"
          spellCheck={false}
          value={typed.names[name] ?? ''}
          onChange={({ target }) =>
            onTyped({ ...typed, names: { ...typed.names, [name]: target.value } })
          }
        />
      ))}
    </>
  )
}
