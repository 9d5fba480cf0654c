import type { Role } from '@signalbox/contract'
import type { Caller } from '../../caller.ts'
import { mayDo } from '../../roles.ts'

/** Returns the member whose agent tokens an actor sees and ends; `null` for admins: those of every member. */
export function membersShownTo(actor: Caller['actor'], role: Role | undefined): string | null {
  return actor.type === 'bootstrap' || mayDo(role, 'admin') ? null : actor.userId
}
