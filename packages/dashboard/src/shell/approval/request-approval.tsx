import { lazy, Suspense, useEffect, useState } from 'react'
import { setCallHooks } from '../../api/call.ts'
import type { ApiProblem } from '../../api/problem.ts'
import type { LackingWrite } from './request-approval-dialog.tsx'

const RequestApprovalDialog = lazy(async () => ({
  default: (await import('./request-approval-dialog.tsx')).RequestApprovalDialog,
}))

interface RefusedWrite extends LackingWrite {
  readonly end: (problem: ApiProblem) => void
}

/**
 * Offers to ask for the approval of others, wherever a write needs it and was refused for that. What the write ends with is
 * decided here, so that no screen has to know of requests.
 */
export function RequestApproval() {
  const [write, setWrite] = useState<RefusedWrite>()
  useEffect(() => {
    setCallHooks({
      requestApproval: (problem, body) =>
        new Promise((resolve) => setWrite({ problem, body, end: resolve })),
    })
  }, [])
  if (write === undefined) return null
  return (
    <Suspense>
      <RequestApprovalDialog
        write={write}
        onEnd={(problem) => {
          setWrite(undefined)
          write.end(problem)
        }}
      />
    </Suspense>
  )
}
