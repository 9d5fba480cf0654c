import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { useOrganization } from '../../session/organization.ts'
import type { Matrix } from './matrix.ts'
import { toAllowPlain, toChanges, type StagedCell } from './staged.ts'

/** Describes the server's response to a set of changes. */
export type ChangeSet = AnswerOf<'POST /organizations/{org_id}/config-changes'>

/** Describes the server's check of the staged changes. Nothing is saved. */
export interface Check {
  /** Holds the response. Absent while the request runs, and when nothing is staged. */
  readonly answer?: ChangeSet
  /** Holds the changes that were checked. */
  readonly staged?: readonly StagedCell[]
  /** Holds the problem of a check that failed. */
  readonly problem?: ApiProblem
}

const quietForMs = 350

/**
 * Checks the staged changes on the server, a moment after the last edit. The response is not cached as a query,
 * because staged values may be secret.
 */
export function useCheck(matrix: Matrix, staged: readonly StagedCell[]): Check {
  const { id } = useOrganization()
  const [check, setCheck] = useState<Check>({})
  const schemaId = matrix.schema.id
  useEffect(() => {
    setCheck({})
    const changes = toChanges(matrix.environments, staged)
    if (changes.length === 0) return undefined
    const ended = new AbortController()
    const ask = async () => {
      try {
        const body = { schemaId, changes, ...toAllowPlain(staged), dryRun: true }
        const request = { params: { org_id: id }, body }
        const route = 'POST /organizations/{org_id}/config-changes'
        setCheck({ answer: await call(route, request, ended.signal), staged })
      } catch (error) {
        if (ended.signal.aborted) return
        if (!(error instanceof ApiProblem)) throw error
        setCheck({ problem: error })
      }
    }
    const timer = setTimeout(() => void ask(), quietForMs)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [id, matrix.environments, schemaId, staged])
  return check
}
