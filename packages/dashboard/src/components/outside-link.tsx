import type { ReactNode } from 'react'

interface OutsideLinkProps {
  /** As another system gave it; `null` where it gave none. */
  readonly href: string | null
  readonly className?: string | undefined
  readonly children: ReactNode
}

/**
 * Shows a link that leaves the dashboard, in a tab of its own that learns nothing of this one. Addresses come from other
 * systems: what is neither http nor https, such as `javascript:`, is no link, and its text stands alone.
 */
export function OutsideLink({ href, className, children }: OutsideLinkProps) {
  if (href === null || !isWebAddress(href)) return children
  return (
    <a href={href} target="_blank" rel="noreferrer" className={className}>
      {children}
    </a>
  )
}

/** Returns whether an address is one of the web: absolute, and http or https. */
export function isWebAddress(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
