/** Lists the permissions that the sandbox knows. */
export const permissionNames = [
  'actions',
  'actions_variables',
  'administration',
  'checks',
  'contents',
  'deployments',
  'environments',
  'issues',
  'members',
  'metadata',
  'pull_requests',
  'repository_hooks',
  'secrets',
  'statuses',
] as const

/** Names a permission, such as `deployments`. */
export type PermissionName = (typeof permissionNames)[number]
/** Names the level of a permission. `write` includes `read`. */
export type Access = 'read' | 'write'
/** Maps the name of a permission to its level. Example: `{ deployments: "write" }`. */
export type Permissions = Readonly<Record<string, Access>>

/** Returns the permissions whose names the official types know; others are left out. */
export function namedPermissions(
  permissions: Permissions,
): Partial<Record<PermissionName, Access>> {
  const named: Partial<Record<PermissionName, Access>> = {}
  for (const name of permissionNames) {
    const access = permissions[name]
    if (access !== undefined) named[name] = access
  }
  return named
}

/**
 * Parses permissions from a body. Returns `undefined` when one of them does not exist or has another level than
 * `read` and `write`.
 */
export function parsePermissions(value: unknown): Permissions | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const parsed: Record<string, Access> = {}
  for (const [name, access] of Object.entries(value)) {
    const isKnown = permissionNames.some((known) => known === name)
    if (!isKnown || (access !== 'read' && access !== 'write')) return undefined
    parsed[name] = access
  }
  return parsed
}

/** Returns whether every requested permission is granted at that level or above. */
export function isWithin(requested: Permissions, granted: Permissions): boolean {
  return Object.entries(requested).every(([name, access]) => {
    const grantedAccess = granted[name]
    return grantedAccess === 'write' || grantedAccess === access
  })
}
