import type { ProofTerms } from '@signalbox/contract'
import { TextArea, TextField } from '../../../components/field.tsx'
import { hasSignals, WatchFields } from '../../proofs/watch-fields.tsx'
import type { Environment } from '../environments.ts'
import type { Confirmation } from '../use-save.ts'
import type { Required } from './review-lines.ts'

/** Holds the text that was typed to confirm a change. */
export interface TypedConfirmation {
  /** Maps an environment's name to the typed text. */
  readonly names: Readonly<Record<string, string>>
  readonly comment: string
  /** Says how the change is watched, where the person asks for that. */
  readonly prove?: ProofTerms | undefined
}

/** Holds an empty confirmation. */
export const nothingTyped: TypedConfirmation = { names: {}, comment: '' }

/** Returns whether the confirmation is complete. */
export function isConfirmed(required: Required, typed: TypedConfirmation): boolean {
  return (
    required.names.every((name) => typed.names[name] === name) &&
    (!required.comment || typed.comment.trim() !== '') &&
    hasSignals(typed.prove)
  )
}

/** Returns what is sent with a change that is confirmed. */
export function toConfirmation({ names }: Required, typed: TypedConfirmation): Confirmation {
  const { comment, prove } = typed
  return { confirm: names, comment, ...(prove !== undefined && { prove }) }
}

/** Returns the name of the button that makes a change, or that asks others to approve it. */
export function nameAction({ approvals = [] }: Required, action: string): string {
  return approvals.length > 0 ? 'Request approval' : action
}

interface ConfirmationFieldsProps {
  readonly required: Required
  readonly typed: TypedConfirmation
  readonly onTyped: (typed: TypedConfirmation) => void
  /** Lists the environments whose values change, and says whether the write may ask that they are watched. */
  readonly watch?: Watch | undefined
}

/** Describes what of a change can be watched. */
export interface Watch {
  readonly environments: readonly Pick<Environment, 'name' | 'protection'>[]
  readonly mayWatch: boolean
}

/**
 * Says whose approval a change needs, and renders a field for the comment, one for the name of each environment that requires
 * it, and how the change is watched.
 */
export function ConfirmationFields({ required, typed, onTyped, watch }: ConfirmationFieldsProps) {
  return (
    <>
      <TextArea
        label={required.comment ? 'Why' : 'Why (optional)'}
        help="Shown in the history."
        rows={2}
        maxLength={1000}
        required={required.comment}
        value={typed.comment}
        onChange={({ target }) => onTyped({ ...typed, comment: target.value })}
      />
      {required.names.map((name) => (
        <TextField
          key={name}
          label={`Type "${name}" to confirm`}
          spellCheck={false}
          value={typed.names[name] ?? ''}
          onChange={({ target }) =>
            onTyped({ ...typed, names: { ...typed.names, [name]: target.value } })
          }
        />
      ))}
      {watch !== undefined && (
        <WatchFields
          {...watch}
          prove={typed.prove}
          onProve={(prove) => onTyped({ ...typed, prove })}
        />
      )}
      {required.approvals?.map(({ environment, approvals }) => (
        <p key={environment} className="text-sm">
          {environment} needs {approvals === 1 ? '1 approval' : `${approvals} approvals`}. Nothing
          changes until then.
        </p>
      ))}
    </>
  )
}
