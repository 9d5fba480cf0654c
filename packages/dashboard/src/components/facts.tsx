import type { ReactNode } from 'react'

interface FactsProps {
  /** Maps names to values. `undefined` values are left out. */
  readonly facts: Readonly<Record<string, ReactNode | undefined>>
}

/** Renders names and values below each other. */
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
