import type { ReactNode } from 'react'

interface FactsProps {
  /** Left out where there is none: `undefined`. */
  readonly facts: Readonly<Record<string, ReactNode | undefined>>
}

/** Shows names and what they are, one below the other. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2 empty:hidden">
      {Object.entries(facts).map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
