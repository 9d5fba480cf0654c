import { BookOpen } from 'lucide-react'
import type { ReactNode } from 'react'

interface DocsLinkProps {
  /** Names a page of the guide and its section. Example: `integrations#connect`. */
  readonly page: string
  readonly children: ReactNode
}

/** Renders a link to the guide that opens in a new tab, so that staged and typed text stays. */
export function DocsLink({ page, children }: DocsLinkProps) {
  return (
    <a
      href={`/docs/guide/${page}`}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-7 items-center gap-1.5 text-sm"
    >
      <BookOpen aria-hidden size={14} />
      {children}
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
