import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useOrganization } from './organization.ts'

interface PathLinkProps {
  /** Below the organization, as the server names it. Example: `/integrations/chat?project=OPS`. */
  readonly path: string
  readonly className?: string
  readonly children: ReactNode
}

/** Shows a link to a path that the server names, such as where something is mended. */
export function PathLink({ path, className, children }: PathLinkProps) {
  const { slug } = useOrganization()
  const { history } = useRouter()
  const href = `/${slug}${path}`
  const follow = (event: MouseEvent) => {
    // A new tab or window is the browser's.
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
