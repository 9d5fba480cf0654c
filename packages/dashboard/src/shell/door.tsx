import { useEffect, type ReactNode } from 'react'
import { Mark } from './mark.tsx'

interface DoorProps {
  readonly title: string
  readonly children: ReactNode
}

/** The pages that are seen before anybody is signed in. */
export function Door({ title, children }: DoorProps) {
  useEffect(() => {
    document.title = `${title} · Signalbox`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 p-4 py-12">
      <Mark />
      <div className="flex flex-col gap-5 rounded-lg border border-line bg-panel p-6">
        <h1 className="text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
