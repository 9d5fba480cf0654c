import type { ApiProblem } from '../../../api/problem.ts'
import { readRequires, type Requirement } from '../../../api/read-requires.ts'
import type { Required } from './review-lines.ts'

/** Returns what a rejection says that the change requires. */
export function readRequired(problem: ApiProblem | null): Required {
  return joinRequirements(readRequires(problem))
}

/** Returns what a change of several environments requires. */
export function joinRequirements(requires: readonly Requirement[]): Required {
  return {
    names: requires.filter(({ confirm }) => confirm).map(({ environment }) => environment),
    comment: requires.some(({ comment }) => comment),
    approvals: requires.filter(({ approvals }) => approvals > 0),
  }
}

/** Returns the confirmation that covers both: what is known before a write, and what the server asks for after it. */
export function joinRequired(known: Required, fromServer: Required): Required {
  return {
    names: [...new Set([...known.names, ...fromServer.names])],
    comment: known.comment || fromServer.comment,
    approvals:
      [known.approvals, fromServer.approvals].findLast((list = []) => list.length > 0) ?? [],
  }
}
