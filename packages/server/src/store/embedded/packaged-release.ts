/** Names the PostgreSQL of the npm package, and the day on which it was released. */
export const packagedRelease = { version: '18.4', releasedOn: '2026-05-14' } as const

/**
 * Returns the day of release of the packaged PostgreSQL; `null` for another version. `server_version` may name who built it
 * as well. Example: `18.4 (Debian 18.4-1)`.
 */
export function releaseDayOf(serverVersion: string): string | null {
  return serverVersion.split(' ', 1)[0] === packagedRelease.version
    ? packagedRelease.releasedOn
    : null
}
