import { destinations } from '../shell/navigation.ts'
import type { Role } from '../session/session.ts'
import type { AnswerOf } from '../api/routes.ts'

type SearchItem = AnswerOf<'GET /organizations/{org_id}/search'>['items'][number]

/** Describes one entry of the palette. */
export interface Command {
  readonly label: string
  /** Names the kind of target in a word. */
  readonly kind: string
  /** Holds further text, shown smaller. */
  readonly detail?: string | null
  /** Holds the state of a deployment, and since when it has it. */
  readonly state?: SearchItem['state']
  readonly at?: string | null
  /** Holds the address to open, or the action to run. */
  readonly does: string | (() => void)
  /** Says that it changes something at once. Enter runs it only by its whole name, or where a person moved to it. */
  readonly hasEffect?: boolean
}

/** Returns a text that is unique to a command. */
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
