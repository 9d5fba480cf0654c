import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'
import { ThemeMenu } from './theme-menu.tsx'

/** Where no screen can be shown yet, or none at all: nothing around it, and still a page with a title. */
export function BarePage({ children }: { readonly children: ReactNode }) {
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-6 p-4">
      <h1 className="sr-only">Signalbox</h1>
      <header className="flex items-center justify-between">
        <Mark />
        <ThemeMenu />
      </header>
      {children}
    </main>
  )
}
