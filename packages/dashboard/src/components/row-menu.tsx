import { Ellipsis } from 'lucide-react'
import { Menu, type MenuItem } from './menu.tsx'

interface RowMenuProps {
  /** Labels the menu. Example: `Actions for ci`. */
  readonly label: string
  readonly items: readonly MenuItem[]
}

/** Renders the actions of a row, always visible at its end. */
export function RowMenu({ label, items }: RowMenuProps) {
  if (items.length === 0) return null
  return (
    <Menu
      label={label}
      buttonClass="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text"
      items={items}
    >
      <Ellipsis aria-hidden size={16} />
    </Menu>
  )
}
