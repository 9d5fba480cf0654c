import type { KeyAccess } from '@signalbox/contract'
import type { FieldError } from '../../api/problem.ts'

const dayMs = 86_400_000

/** Returns the expiry of a key after that many days. `null`: never. */
export function toExpiry(days: string, now: Date): string | null {
  return days === '' ? null : new Date(now.getTime() + Number(days) * dayMs).toISOString()
}

/** Returns the lines that are not empty. `null`: none. */
export function readLines(text: string): string[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}

interface Named {
  readonly id: string
  readonly name: string
}

/** Lists what a server key may do, with what it means. The first is proposed: an application needs no more. */
export const accessOptions = [
  {
    value: 'read',
    label: 'Reads',
    help: 'All values, including secrets. Enough for an application.',
  },
  {
    value: 'write',
    label: 'Reads and writes',
    help: 'It also changes values and schemas, reports deployments and tests, and starts workflows. For pipelines.',
  },
] as const

/** Says what the right to manage is, which a person gives a token of their own. */
export const managing = {
  label: 'May manage',
  help: 'It creates API keys, invitations, targets, outgoing webhooks and connections, and changes roles, where your role may. What it creates outlives it.',
} as const

/** Describes the restrictions of a key. `null`: none. */
export interface Reach {
  /** Says what a server key may do. Keys of the other kinds have no choice. */
  readonly access?: KeyAccess
  readonly environmentIds: string[] | null
  readonly schemaIds: string[] | null
  readonly allowedOrigins: string[] | null
  readonly allowedNetworks: string[] | null
}

/** Returns the name of the field that says whether a restriction is `all` or `selected`. */
export function rangeField(name: string): string {
  return `${name}.range`
}

/**
 * Reads the restrictions from a form. Where `selected` is chosen, an empty selection stays empty: it is refused, and never
 * means everything. Only keys for browsers have origins.
 */
export function readReach(form: FormData, kind: 'b2m' | 'm2m' | 'rly'): Reach {
  const ids = (name: string) =>
    form.get(rangeField(name)) === 'selected'
      ? form.getAll(name).filter((id) => typeof id === 'string')
      : null
  const lines = (name: ListField) => {
    const text = form.get(name)
    return typeof text === 'string' ? readLines(text) : null
  }
  return {
    ...(kind === 'm2m' && { access: form.get('access') === 'write' ? 'write' : 'read' }),
    environmentIds: ids('environmentIds'),
    schemaIds: ids('schemaIds'),
    allowedOrigins: kind === 'b2m' ? lines('allowedOrigins') : null,
    allowedNetworks: lines('allowedNetworks'),
  }
}

/** Returns the restrictions that are `selected` without a selection. */
export function findUnselected({
  environmentIds,
  schemaIds,
}: Pick<Reach, 'environmentIds' | 'schemaIds'>): readonly string[] {
  return [
    ...(environmentIds?.length === 0 ? ['environmentIds'] : []),
    ...(schemaIds?.length === 0 ? ['schemaIds'] : []),
  ]
}

const contents = {
  b2m: 'Public values and flags',
  m2m: 'Reads all values, including secrets',
  rly: 'Feeds a relay',
} as const

const writingContents = 'Reads and writes all values, including secrets'

/**
 * Returns in words what a key reaches. Example: `Public values and flags, in all environments`; restricted:
 * `Public values and flags, in production, schema shop, from https://shop.example.com`.
 */
export function describeReach(
  {
    kind,
    access,
    environmentIds,
    schemaIds,
    allowedOrigins,
    allowedNetworks,
  }: Reach & { readonly kind: keyof typeof contents },
  known: { readonly environments: readonly Named[]; readonly schemas: readonly Named[] },
): string {
  const environments = namesOf(environmentIds, known.environments)
  const schemas = namesOf(schemaIds, known.schemas)
  return [
    access === 'write' ? writingContents : contents[kind],
    environments === undefined ? 'in all environments' : `in ${environments}`,
    schemas && `${schemaIds?.length === 1 ? 'schema' : 'schemas'} ${schemas}`,
    allowedOrigins && `from ${allowedOrigins.join(', ')}`,
    allowedNetworks && `only at ${allowedNetworks.join(', ')}`,
  ]
    .filter((part) => part !== undefined && part !== null)
    .join(', ')
}

function namesOf(ids: readonly string[] | null, known: readonly Named[]): string | undefined {
  return ids?.map((id) => known.find((one) => one.id === id)?.name ?? id).join(', ')
}

/** Names the fields that hold a list, one entry on each line. */
export type ListField = 'allowedOrigins' | 'allowedNetworks'

/** Returns the errors of a list, whose entries share one field, as one text. */
export function findListError(
  all: readonly FieldError[] = [],
  field: ListField,
): string | undefined {
  const errors = all.filter(({ pointer }) => pointer.startsWith(`/${field}`))
  return errors.length === 0
    ? undefined
    : [...new Set(errors.map(({ detail }) => detail))].join(' ')
}

/** Returns the pointers of the errors that the fields of lists show. */
export function listPointers(all: readonly FieldError[] = []): string[] {
  return all
    .map(({ pointer }) => pointer)
    .filter((pointer) => /^\/allowed(?:Origins|Networks)/.test(pointer))
}

/**
 * Returns the options: all known ones, and the selected ones that are unknown, for instance while the list is
 * loading. Otherwise, saving the form would silently lift a restriction.
 */
export function toChoices(known: readonly Named[], chosen: readonly string[] | null): Named[] {
  const unknown = (chosen ?? []).filter((id) => !known.some((one) => one.id === id))
  return [...known, ...unknown.map((id) => ({ id, name: id }))]
}
