import { destinations } from '../shell/navigation.ts'
import type { Role } from '../shell/session.ts'

export interface Command {
  readonly label: string
  /** What it leads to, in a word. */
  readonly kind: string
  /** An address of the dashboard. */
  readonly href: string
}

/** Every screen that the person may see. */
export function toCommands(slug: string, can: (role: Role) => boolean): readonly Command[] {
  return destinations
    .flat()
    .filter(({ role }) => role === undefined || can(role))
    .map(({ label, to }) => ({ label, kind: 'Screen', href: to.replace('$org', slug) }))
}
