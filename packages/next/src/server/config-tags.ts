/** Holds the tag of every configuration that was read. */
export const everyConfigTag = 'config'

/**
 * Returns the tag of an environment's configuration, for `cacheTag`, `revalidateTag` and `updateTag`. Example:
 * `config:acme:production`. Pass organization and environment as to `getConfig`: an id and a name make two tags.
 */
export function configTag(orgId: string, environment: string): string {
  return `${everyConfigTag}:${orgId.toLowerCase()}:${environment.toLowerCase()}`
}
