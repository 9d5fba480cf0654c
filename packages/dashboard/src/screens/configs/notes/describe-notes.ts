import { isOverdue, type KeyNotes, type Tier } from '@signalbox/contract'

/** Describes a note about a key. */
export interface ShownNote {
  readonly name: string
  readonly text: string
  readonly isBad?: true
}

/** Lists the notes about a key in words. Empty: it has none. */
export function describeNotes(
  notes: KeyNotes & { readonly tier?: Tier },
  now = new Date(),
): readonly ShownNote[] {
  const { owner = '', tags = [], expires = '', killSwitch = false } = notes
  return [
    ...(owner === '' ? [] : [{ name: 'Owner', text: owner }]),
    ...(tags.length === 0 ? [] : [{ name: 'Tags', text: tags.join(', ') }]),
    ...(expires === '' ? [] : [toEnd(expires, now, notes.tier)]),
    ...(killSwitch
      ? [{ name: 'Kill switch', text: 'One press turns it off for everyone in any environment' }]
      : []),
    ...describeSecretNotes(notes),
  ]
}

function describeSecretNotes({ rotateEvery = 0, runbook = '' }: KeyNotes): readonly ShownNote[] {
  return [
    ...(rotateEvery === 0 ? [] : [{ name: 'Rotation', text: describeRotation(rotateEvery) }]),
    ...(runbook === '' ? [] : [{ name: 'Runbook', text: runbook }]),
  ]
}

/** Returns in words how often a secret gets another value. Example: `every 90 days`. */
export function describeRotation(days: number): string {
  return days === 1 ? 'every day' : `every ${days} days`
}

const endAdvice: Readonly<Record<Tier, string>> = {
  featureFlags: 'remove the flag from your code',
  secret: 'replace the secret',
  public: 'change the key',
}

function toEnd(expires: string, now: Date, tier: Tier = 'featureFlags'): ShownNote {
  const name = 'End date'
  if (!isOverdue({ expires }, now)) return { name, text: expires }
  return { name, text: `${expires} (overdue): ${endAdvice[tier]}`, isBad: true }
}

/** Returns tags as a person types them. Example: `checkout, beta`. */
export function readTags(text: string): readonly string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return tags.filter((tag) => tag !== '')
}

/** Lists the owners, or the tags, that any of some keys has, in the order of the alphabet. */
export function listNotes(
  keys: readonly KeyNotes[],
): Readonly<Record<'owners' | 'tags', readonly string[]>> {
  const owners = new Set(keys.flatMap(({ owner }) => owner ?? []))
  const tags = new Set(keys.flatMap((key) => key.tags ?? []))
  return { owners: sortNames(owners), tags: sortNames(tags) }
}

function sortNames(names: ReadonlySet<string>): string[] {
  return [...names].toSorted((a, b) => a.localeCompare(b))
}
