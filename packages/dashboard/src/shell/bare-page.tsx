import type { ReactNode } from 'react'

/** Where no screen can be shown yet, or none at all: nothing around it, and still a page with a title. */
export function BarePage({ children }: { readonly children: ReactNode }) {
  return (
    <main className="mx-auto max-w-4xl p-4">
      <h1 className="sr-only">Signalbox</h1>
      {children}
    </main>
  )
}
