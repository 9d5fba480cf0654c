import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import { ThemeMenu } from './theme-menu.tsx'

/** Renders a page without a layout, where no screen can be shown. */
export function BarePage({ children }: { readonly children: ReactNode }) {
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-6 p-4">
      <h1 className="sr-only">Signalbox</h1>
      <header className="flex items-center justify-between">
        <Logo />
        <ThemeMenu />
      </header>
      {children}
    </main>
  )
}
