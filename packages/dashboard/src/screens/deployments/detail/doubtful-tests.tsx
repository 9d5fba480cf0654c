import { Repeat2, X } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import type { TestRun } from './detail.ts'

interface DoubtfulTestsProps {
  readonly tests: TestRun['doubtfulTests']
}

/** Shows the failed and flaky tests, with the first lines of each error. */
export function DoubtfulTests({ tests }: DoubtfulTestsProps) {
  if (tests.length === 0) return null
  return (
    <ul aria-label="Tests in doubt" className="flex flex-col gap-2">
      {tests.map(({ suite, name, state, message }) => (
        <li key={`${suite} ${name}`} className="flex min-w-0 flex-col gap-1 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            {state === 'failed' ? (
              <Badge tone="bad" icon={X}>
                failed
              </Badge>
            ) : (
              <Badge tone="warn" icon={Repeat2}>
                flaky
              </Badge>
            )}
            <bdi className="min-w-0 font-medium break-words">{name}</bdi>
            {suite !== '' && <bdi className="min-w-0 break-words text-muted">{suite}</bdi>}
          </p>
          {message !== null && (
            <pre
              // Focusable, so that the keyboard can scroll it.
              tabIndex={0}
              role="group"
              aria-label={`What went wrong in ${name}`}
              className="max-h-40 overflow-auto rounded bg-raised px-3 py-2 font-mono text-sm break-words whitespace-pre-wrap"
            >
              {message}
            </pre>
          )}
        </li>
      ))}
    </ul>
  )
}
