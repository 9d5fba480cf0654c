import { TextArea, TextField } from '../../parts/field.tsx'
import type { Asked } from './review-lines.ts'

/** What was typed to confirm a change. */
export interface TypedConsent {
  /** By the name of the environment. */
  readonly names: Readonly<Record<string, string>>
  readonly comment: string
}

export const nothingTyped: TypedConsent = { names: {}, comment: '' }

/** Whether everything that is asked for was typed. */
export function isConsented(asked: Asked, typed: TypedConsent): boolean {
  return (
    asked.names.every((name) => typed.names[name] === name) &&
    (!asked.comment || typed.comment.trim() !== '')
  )
}

interface ConsentFieldsProps {
  readonly asked: Asked
  readonly typed: TypedConsent
  readonly onTyped: (typed: TypedConsent) => void
}

/** A comment, and the name of each environment that wants its changes confirmed. */
export function ConsentFields({ asked, typed, onTyped }: ConsentFieldsProps) {
  return (
    <>
      <TextArea
        label={asked.comment ? 'Why' : 'Why (optional)'}
        hint="Kept with the version in the history."
        rows={2}
        maxLength={1000}
        required={asked.comment}
        value={typed.comment}
        onChange={({ target }) => onTyped({ ...typed, comment: target.value })}
      />
      {asked.names.map((name) => (
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
