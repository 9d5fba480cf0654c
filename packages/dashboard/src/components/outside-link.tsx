import type { ReactNode } from 'react'

interface OutsideLinkProps {
  /** Holds the address as another system sent it. `null`: none. */
  readonly href: string | null
  readonly className?: string | undefined
  readonly children: ReactNode
}

/**
 * Renders a link out of the dashboard in a new tab that learns nothing of this one. Addresses come from other
 * systems: one that is neither http nor https, such as `javascript:`, is rendered as text.
 */
export function OutsideLink({ href, className, children }: OutsideLinkProps) {
  if (href === null || !isWebAddress(href)) return children
  return (
    <a href={href} target="_blank" rel="noreferrer" className={className}>
      {children}
    </a>
  )
}

/** Returns whether an address is absolute, and http or https. */
export function isWebAddress(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
