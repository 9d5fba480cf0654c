import { printable } from '../../terminal/printable.ts'
import { isRecord } from '../../project/json.ts'
import type { ChangeRequest, ChangeRequestSummary, Environment } from '../operations.ts'

/** Names a request as people do. Example: `Request 12`. */
export function nameRequest({ number }: Pick<ChangeRequestSummary, 'number'>): string {
  return `Request ${number}`
}

/** Returns the address of the page on which people review a request. */
export function toRequestPage(
  serverUrl: string,
  { slug }: { readonly slug: string },
  { number }: Pick<ChangeRequestSummary, 'number'>,
): string {
  return `${serverUrl}/${slug}/requests/${number}`
}

const states = {
  open: 'waits for approval',
  approved: 'is approved',
  scheduled: 'is approved and applies itself',
  declined: 'is declined',
  applied: 'is applied',
  withdrawn: 'is withdrawn',
  expired: 'has expired',
  failed: 'has failed',
} as const satisfies Record<ChangeRequestSummary['state'], string>

/** Returns the state of a request in words, with its time where it has one. */
export function describeState({
  state,
  applyAt,
}: Pick<ChangeRequestSummary, 'applyAt' | 'state'>): string {
  return state === 'scheduled' && applyAt !== null
    ? `${states.scheduled} at ${applyAt}`
    : states[state]
}

/** Returns how many people have approved, for each environment. Example: `production 1/2`. */
export function countApprovals({ environments }: ChangeRequestSummary): string {
  return environments
    .map(({ name, approvals: { given, needed } }) => `${printable(name)} ${given}/${needed}`)
    .join(', ')
}

/**
 * Returns one line for each environment that lacks approvals, with who may give them. Example: `production: 2 more approvals, of
 * a developer, an admin or an owner`.
 */
export function listMissing(
  request: ChangeRequest,
  environments: readonly Environment[],
): string[] {
  return request.environments.flatMap(({ environmentId, name, approvals: { needed, given } }) => {
    const missing = needed - given
    if (missing <= 0) return []
    const protection = environments.find(({ id }) => id === environmentId)?.protection
    const count = `${missing} more approval${missing === 1 ? '' : 's'}`
    return [`${printable(name)}: ${count}${describeApprovers(protection)}`]
  })
}

function describeApprovers(protection: Environment['protection'] | undefined): string {
  if (protection === undefined) return ''
  const { approvers } = protection
  if ('members' in approvers) return ', of the members that its protection names'
  const roles = approvers.roles.map((role) => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`)
  return `, of ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(roles)}`
}

/** Returns one line for each environment whose people must approve a refused change, with the keys. `requires` is the server's. */
export function listRequired(requires: unknown): string[] {
  return (Array.isArray(requires) ? requires : []).filter(isRecord).flatMap((one) => {
    const approvals = Number(one['approvals'])
    if (!(approvals > 0)) return []
    const keys = Array.isArray(one['reasons']) ? one['reasons'].map(String) : []
    const what = keys.length === 0 ? '' : `: ${keys.join(', ')}`
    const count = `${approvals} approval${approvals === 1 ? '' : 's'}`
    return [`${String(one['environment'])} needs ${count}${what}`]
  })
}
