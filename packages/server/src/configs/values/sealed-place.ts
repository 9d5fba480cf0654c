/** Where a secret value is stored. A sealed text opens at its place only. */
export function valuePlace(place: {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly key: string
}): string {
  const { orgId, schemaId, environmentId, key } = place
  return `${orgId}|config_heads|${schemaId}|${environmentId}|${key}`
}

/** Where the default of a secret key is stored. */
export function defaultPlace(orgId: string, schemaId: string, key: string): string {
  return `${orgId}|config_schemas|${schemaId}|${key}`
}
