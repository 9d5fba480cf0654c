/** Of every configuration that was read. */
export const everyConfigTag = 'config'

/**
 * The tag of what was read of an environment, for `cacheTag`, `revalidateTag` and `updateTag`. Example:
 * `config:acme:production`. Organization and environment as `getConfig` was given them: an id and a name are two tags.
 */
export function configTag(orgId: string, environment: string): string {
  return `${everyConfigTag}:${orgId.toLowerCase()}:${environment.toLowerCase()}`
}
