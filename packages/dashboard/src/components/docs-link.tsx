import { BookOpen } from 'lucide-react'
import type { ReactNode } from 'react'

interface DocsLinkProps {
  /** A page of the guide, with its section. Example: `integrations#connect`. */
  readonly page: string
  readonly children: ReactNode
}

/** Leads to the page of the documentation that explains what is seen, in a tab of its own: what is staged or typed here stays. */
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
