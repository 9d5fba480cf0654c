import type { ApiProblem } from './problem.ts'

/** Describes what a change needs for one environment. */
export interface Requirement {
  readonly environment: string
  readonly confirm: boolean
  readonly comment: boolean
  /** Counts the people who have to approve. */
  readonly approvals: number
}

/** Returns what a rejected change needs: the member `requires` of its problem. */
export function readRequires(problem: ApiProblem | null): readonly Requirement[] {
  const requires = problem?.fields['requires']
  return Array.isArray(requires) ? requires.filter(isRequirement) : []
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
    typeof value.comment === 'boolean' &&
    'approvals' in value &&
    typeof value.approvals === 'number'
  )
}
