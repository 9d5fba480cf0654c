import { destinations } from '../shell/navigation.ts'
import type { Role } from '../session/session.ts'

/** Describes one entry of the palette. */
export interface Command {
  readonly label: string
  /** Holds what it leads to, in a word. */
  readonly kind: string
  /** Besides the label, in small. */
  readonly detail?: string | null
  /** An address of the dashboard to go to, or what to do. */
  readonly does: string | (() => void)
}

/** Returns what tells one command from another. */
export function keyOf({ label, kind, does }: Command): string {
  return `${kind} ${typeof does === 'string' ? does : label}`
}

/** Returns every screen that the person may see. */
export function toCommands(slug: string, can: (role: Role) => boolean): readonly Command[] {
  return destinations
    .flat()
    .filter(({ role }) => role === undefined || can(role))
    .map(({ label, to }) => ({ label, kind: 'Screen', does: to.replace('$org', slug) }))
}
