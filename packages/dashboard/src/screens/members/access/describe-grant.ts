import type { GrantRole } from '@signalbox/contract'

interface Named {
  readonly id: string
  readonly name: string
}

/** Holds the names of what grants are about. `undefined`: not known yet. */
export interface KnownNames {
  readonly environments: readonly Named[] | undefined
  readonly schemas: readonly Named[] | undefined
}

/** Describes a grant as far as its sentence says it. */
export interface DescribedGrant {
  readonly subject: { readonly type: 'member' | 'group' | 'api_key'; readonly name: string }
  readonly role: GrantRole
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
}

const lists = new Intl.ListFormat('en-GB')

/**
 * Returns what a grant allows, as a sentence without its subject. Examples: `write values in staging, without reading its
 * secrets` for a group called Developers, `reads the secrets of production` for one called Support or for a person.
 */
export function describeGrant(
  { subject, role, environmentIds, schemaIds }: DescribedGrant,
  known: KnownNames,
): string {
  const environments = nameAll(environmentIds, known.environments, 'environment')
  const schemas = nameAll(schemaIds, known.schemas, 'schema')
  const ending = isPlural(subject) ? '' : 's'
  const where = [schemas, environments].flatMap((names) =>
    names === undefined ? [] : `in ${names}`,
  )
  const subjectMatter = [schemas, environments].filter((names) => names !== undefined).join(' in ')
  const everything = `everything${limitOf(subject)}`
  switch (role) {
    case 'admin':
      return `administer${ending} ${subjectMatter || everything}`
    case 'developer':
      return `develop${ending} ${where.length > 0 ? `everything ${where.join(', ')}` : everything}`
    case 'editor':
      return `write${ending} values ${where.join(', ') || `everywhere${limitOf(subject)}`}${exceptSecrets(subject, environmentIds)}`
    case 'reader':
      return `read${ending} ${subjectMatter === '' ? 'every secret' : `the secrets of ${subjectMatter}`}`
  }
}

/** Says that no grant reaches beyond the environments and schemas that a key is made for. */
function limitOf({ type }: DescribedGrant['subject']): string {
  return type === 'api_key' ? ' that it is made for' : ''
}

/** Says that an editor reads no secrets. A server key reads those of each environment that it is made for. */
function exceptSecrets(
  { type }: DescribedGrant['subject'],
  environmentIds: DescribedGrant['environmentIds'],
): string {
  if (type === 'api_key') return ''
  return `, without reading ${environmentIds?.length === 1 ? 'its' : 'the'} secrets`
}

/** Returns whether the verb after a name is the one of several: that of Developers, and not that of Support or of a person. */
function isPlural({ type, name }: DescribedGrant['subject']): boolean {
  return type === 'group' && /[^s]s$/i.test(name)
}

/** Returns the names of these ids, and how many of them are deleted. `undefined`: all, those to come included. */
function nameAll(
  ids: readonly string[] | null,
  known: readonly Named[] | undefined,
  noun: 'environment' | 'schema',
): string | undefined {
  if (ids === null) return undefined
  if (known === undefined) return '…'
  const names = ids.flatMap((id) => known.find((one) => one.id === id)?.name ?? [])
  const deleted = ids.length - names.length
  const prefix = noun === 'environment' ? '' : names.length === 1 ? 'the schema ' : 'the schemas '
  return [
    ...(names.length > 0 ? [`${prefix}${lists.format(names)}`] : []),
    ...(deleted > 0 ? [deleted === 1 ? `a deleted ${noun}` : `${deleted} deleted ${noun}s`] : []),
  ].join(' and ')
}
