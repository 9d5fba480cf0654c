import { useEffect, useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'

/** Holds the predicted effect of a change, or the problem. Neither while the request runs. */
export interface Preview<Answer> {
  readonly answer?: Answer
  readonly problem?: ApiProblem
}

/**
 * Requests a preview whenever `ask` is another function, or `attempt` another number. `undefined`: there is nothing to
 * preview.
 */
export function usePreview<Answer>(
  ask: ((signal: AbortSignal) => Promise<Answer>) | undefined,
  attempt = 0,
): Preview<Answer> {
  const [preview, setPreview] = useState<Preview<Answer>>({})
  useEffect(() => {
    setPreview({})
    if (ask === undefined) return undefined
    const ended = new AbortController()
    const run = async () => {
      try {
        const answer = await ask(ended.signal)
        if (!ended.signal.aborted) setPreview({ answer })
      } catch (error) {
        if (ended.signal.aborted) return
        if (!(error instanceof ApiProblem)) throw error
        setPreview({ problem: error })
      }
    }
    void run()
    return () => ended.abort()
  }, [ask, attempt])
  return preview
}
