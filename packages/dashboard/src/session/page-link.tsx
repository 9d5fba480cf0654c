import { toHref, type PageRef } from '@signalbox/contract'
import type { ReactNode } from 'react'
import { PathLink } from './path-link.tsx'

interface PageLinkProps {
  readonly to: PageRef
  readonly className?: string
  readonly children: ReactNode
}

/** Shows a link to a page of the organization. */
export function PageLink({ to, ...rest }: PageLinkProps) {
  return <PathLink path={toHref(to)} {...rest} />
}
