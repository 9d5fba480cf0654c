import type { ApiProblem } from '../../../api/problem.ts'
import type { Required } from './review-lines.ts'

/** Returns the required confirmation of a rejection: the member `requires` of `confirmation_required` and `comment_required`. */
export function readRequired(problem: ApiProblem | null): Required {
  const requires = problem?.fields['requires']
  const entries = Array.isArray(requires) ? requires.filter(isRequirement) : []
  return {
    names: entries.filter(({ confirm }) => confirm).map(({ environment }) => environment),
    comment: entries.some(({ comment }) => comment),
  }
}

/** Returns the confirmation that covers both: what is known before a write, and what the server asks for after it. */
export function joinRequired(known: Required, fromServer: Required): Required {
  return {
    names: [...new Set([...known.names, ...fromServer.names])],
    comment: known.comment || fromServer.comment,
  }
}

interface Requirement {
  readonly environment: string
  readonly confirm: boolean
  readonly comment: boolean
}

function isRequirement(value: unknown): value is Requirement {
  return (
    typeof value === 'object' &&
    value !== null &&
    'environment' in value &&
    typeof value.environment === 'string' &&
    'confirm' in value &&
    typeof value.confirm === 'boolean' &&
    'comment' in value &&
    typeof value.comment === 'boolean'
  )
}
