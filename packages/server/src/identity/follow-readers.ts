import { roleEverywhere, type Grant, type Role } from '@signalbox/contract'
import type { Store, Tx } from '../store/store.ts'
import { checkReaders, type Reading } from './check-readers.ts'
import { grantsOfMember } from './organizations/rows.ts'

/** Describes a reader with the role it was found to have. */
export interface KnownReading extends Reading {
  readonly role: Role
}

/** Follows one reader from the moment it was made. */
export interface Following {
  /** Returns at once, from the last check. An announcement since starts another check, whose outcome the next call returns. */
  isCurrent(readings: readonly KnownReading[]): boolean
}

export interface FollowerDeps {
  readonly store: Pick<Store, 'transaction' | 'onAnnounce'>
  readonly now: () => Date
}

interface Stale {
  readonly readings: readonly KnownReading[]
  readonly settle: (hold: boolean) => void
}

/**
 * Creates a follower of credentials and roles. An announcement names no person: all open streams are checked together, so that
 * one person who signs out neither ends the streams of others nor causes a query for each of them.
 */
export function createFollower(deps: FollowerDeps): () => Following {
  let announced = 0
  deps.store.onAnnounce('credentials', () => {
    announced += 1
  })
  let waiting: Stale[] = []
  const checkAll = async () => {
    const stale = waiting
    waiting = []
    const standing = await listStanding(
      deps,
      stale.flatMap(({ readings }) => readings),
    ).catch(() => nobody)
    for (const { readings, settle } of stale) settle(readings.every((each) => standing.has(each)))
  }
  const ask = (stale: Stale) => {
    waiting.push(stale)
    if (waiting.length === 1) setImmediate(() => void checkAll())
  }
  return () => {
    let checkedAnnouncements = announced
    let isAsked = false
    let isOver = false
    return {
      isCurrent(readings) {
        if (isOver || isAsked || checkedAnnouncements === announced) return !isOver
        isAsked = true
        const until = announced
        const settle = (hold: boolean) => {
          isAsked = false
          isOver = !hold
          checkedAnnouncements = until
        }
        ask({ readings, settle })
        return true
      },
    }
  }
}

/** Ends all streams when the check fails. Clients open them again once the database answers. */
const nobody: ReadonlySet<KnownReading> = new Set()

/** Returns the readers that still hold: credential, membership, organization, and the same role. */
async function listStanding(
  deps: Pick<FollowerDeps, 'store' | 'now'>,
  readings: readonly KnownReading[],
): Promise<ReadonlySet<KnownReading>> {
  const allowed = await checkReaders(deps, readings)
  const byOrganization = Map.groupBy(
    readings.filter((_, index) => allowed[index] === true),
    ({ orgId }) => orgId,
  )
  const standing = new Set<KnownReading>()
  for (const [orgId, each] of byOrganization) {
    const roles = await deps.store.transaction({ orgId }, (tx) => listRoles(tx, orgId, each))
    for (const reading of each) {
      const { userId, role } = reading
      if (userId === null || roles.get(userId) === role) standing.add(reading)
    }
  }
  return standing
}

async function listRoles(
  tx: Tx,
  orgId: string,
  readings: readonly KnownReading[],
): Promise<ReadonlyMap<string, Role>> {
  const rows = await tx.query<{ userId: string; role: Role; grants: Grant[] }>({
    name: 'list-reading-roles',
    text: `select m.user_id as "userId", m.role, ${grantsOfMember} from members m
      where m.org_id = $1 and m.user_id = any($2::text[])`,
    values: [orgId, [...new Set(readings.map(({ userId }) => userId))]],
  })
  return new Map(rows.map(({ userId, role, grants }) => [userId, roleEverywhere(role, grants)]))
}
