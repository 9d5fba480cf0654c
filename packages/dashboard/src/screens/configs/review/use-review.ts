import { useState, type FormEvent } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import type { Requirement } from '../../../api/read-requires.ts'
import { toRequiredOf } from '../environments.ts'
import type { MatrixEnvironment } from '../matrix.ts'
import type { Confirmation } from '../use-save.ts'
import { isConfirmed, nothingTyped, toConfirmation } from './confirmation-fields.tsx'
import { joinRequired, joinRequirements, readRequired } from './read-required.ts'

interface Reviewed {
  /** Lists the environments that the change is known to change. The server's rejection names further ones. */
  readonly environments: readonly Pick<MatrixEnvironment, 'name' | 'production' | 'protection'>[]
  /** Lists what a dry run says that the change requires. */
  readonly requires?: readonly Requirement[] | undefined
  /** Holds the rejection of the last attempt. */
  readonly problem: ApiProblem | null
  readonly isPending: boolean
  /** Says whether the change can be saved once it is confirmed. Default true. */
  readonly canSave?: boolean
  /** Says whether the write may ask that its change is watched. Default true; that of a schema may not. */
  readonly mayWatch?: boolean
  readonly onSave: (confirmation: Confirmation) => void
}

/** Keeps the confirmation of a change that is reviewed, and saves the change once the confirmation is complete. */
export function useReview(reviewed: Reviewed) {
  const { environments, requires = [], problem, isPending, onSave } = reviewed
  const { canSave = true, mayWatch = true } = reviewed
  const [typed, setTyped] = useState(nothingTyped)
  const known = joinRequired(toRequiredOf(environments), joinRequirements(requires))
  const required = joinRequired(known, readRequired(problem))
  const isReady = canSave && isConfirmed(required, typed)
  return {
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      if (!isReady || isPending) return
      onSave(toConfirmation(required, typed))
    },
    /** Holds the members of a `ReviewFooter`. */
    footer: {
      required,
      typed,
      onTyped: setTyped,
      watch: { environments, mayWatch },
      pending: isPending,
      disabled: !isReady,
    },
  }
}
