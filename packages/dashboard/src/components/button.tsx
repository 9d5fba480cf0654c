import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

const variants = {
  /** Marks the main action. */
  primary: 'border-transparent bg-accent text-on-accent hover:opacity-90',
  plain: 'border-edge bg-panel text-text hover:bg-raised',
  /** Marks an action that cannot be undone. */
  danger: 'border-bad bg-panel text-bad hover:bg-bad-ground',
  /** Has no frame, for rows and bars. */
  quiet: 'border-transparent text-text hover:bg-raised',
} as const

const shape =
  'inline-flex min-h-8 items-center justify-center gap-2 rounded-md border px-3 py-1 font-medium no-underline hover:no-underline disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:opacity-60 forced-colors:border-[ButtonText]'

/** Returns the classes of a button, for a link that looks like one. */
export function buttonClass(variant: keyof typeof variants = 'plain'): string {
  return `${shape} ${variants[variant]}`
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly variant?: keyof typeof variants
  readonly icon?: LucideIcon
  /** Says whether the action is running. The button shows that, and cannot be pressed again. */
  readonly pending?: boolean
}

/** Shows a button. While it is pending, it cannot be pressed again. */
export function Button({
  variant = 'plain',
  icon: Icon,
  pending = false,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const Picture = pending ? LoaderCircle : Icon
  return (
    <button
      type="button"
      className={buttonClass(variant)}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {Picture && (
        <Picture aria-hidden size={15} className={pending ? 'animate-spin' : undefined} />
      )}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  /** Names the action. Also the tooltip. */
  readonly label: string
  readonly icon: LucideIcon
}

/** Renders a button with an icon only. Its target is 28 by 28 pixels. */
export function IconButton({ label, icon: Icon, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text disabled:opacity-40"
      {...rest}
    >
      <Icon aria-hidden size={16} />
    </button>
  )
}

/** Renders the name of a row, which opens what it names. */
export function NameButton({ children, ...rest }: Omit<ComponentProps<'button'>, 'className'>) {
  return (
    <button
      type="button"
      className="min-h-7 min-w-7 text-left font-medium text-accent wrap-anywhere hover:underline"
      {...rest}
    >
      <bdi>{children}</bdi>
    </button>
  )
}
