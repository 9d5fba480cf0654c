import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useOrganization } from './organization.ts'

interface PathLinkProps {
  /** Holds a path below the organization, as the server sends it. Example: `/integrations/chat?project=OPS`. */
  readonly path: string
  readonly className?: string
  readonly children: ReactNode
}

/** Renders a link to a path that the server sends, such as where to solve a problem. */
export function PathLink({ path, className, children }: PathLinkProps) {
  const { slug } = useOrganization()
  const { history } = useRouter()
  const href = `/${slug}${path}`
  const follow = (event: MouseEvent) => {
    // The browser handles new tabs and windows.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    history.push(href)
  }
  return (
    <a href={href} className={className} onClick={follow}>
      {children}
    </a>
  )
}
