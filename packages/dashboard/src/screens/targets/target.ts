import type { Tier } from '@signalbox/contract'
import type { AnswerOf, ItemOf } from '../../api/routes.ts'
import type { Tone } from '../../components/badge.tsx'

export type Target = ItemOf<'GET /organizations/{org_id}/targets'>
/** Describes a provider that values can be written to. */
export type TargetProvider =
  AnswerOf<'GET /organizations/{org_id}/target-providers'>['items'][number]
/** Describes what a run will do. */
export type TargetPlan = AnswerOf<'GET /organizations/{org_id}/targets/{target_id}/plan'>
/** Describes what a run will do with one name. */
export type PlannedName = TargetPlan['items'][number]

/** Returns the state of a target in a word or two, and its color. */
export function describeState({ state, health, isPending }: Target): {
  readonly text: string
  readonly tone: Tone
} {
  if (state === 'deleting') return { text: 'Deleting', tone: 'warn' }
  if (state === 'paused') return { text: 'Paused', tone: 'neutral' }
  if (health.state === 'failing') return { text: 'Failing', tone: 'bad' }
  if (state === 'planned') return { text: 'Waits for its first run', tone: 'info' }
  return isPending ? { text: 'Writing', tone: 'info' } : { text: 'Up to date', tone: 'ok' }
}

const tierPlurals: Readonly<Record<Tier, string>> = {
  public: 'public values',
  featureFlags: 'flags',
  secret: 'secrets',
}

/** Returns which keys a target writes. Example: `All secrets and flags, and also apiUrl`. */
export function describeSelection({ tiers, keys }: Pick<Target, 'tiers' | 'keys'>): string {
  const all = tiers.length === 0 ? '' : `All ${listWords(tiers.map((tier) => tierPlurals[tier]))}`
  if (keys.length === 0) return all
  const visible = keys.slice(0, 5)
  const more = keys.length - visible.length
  const list = more === 0 ? listWords(visible) : `${visible.join(', ')} and ${more} more`
  return all === '' ? list : `${all}, and also ${list}`
}

function listWords(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

/** Lists the tiers of a form with their words. */
export const tierChoices: readonly { readonly tier: Tier; readonly label: string }[] = [
  { tier: 'secret', label: 'All secrets' },
  { tier: 'public', label: 'All public values' },
  { tier: 'featureFlags', label: 'All flags' },
]

/** Maps each store of a destination to its word. */
export const storeWords: Readonly<Record<PlannedName['store'], string>> = {
  secret: 'secret',
  variable: 'variable',
}

/** Maps what a run does with a name to its word and color. */
export const actionWords: Readonly<
  Record<PlannedName['action'], { readonly text: string; readonly tone: Tone }>
> = {
  create: { text: 'New', tone: 'ok' },
  update: { text: 'Changes', tone: 'info' },
  keep: { text: 'Stays', tone: 'neutral' },
  delete: { text: 'Is deleted', tone: 'warn' },
  conflict: { text: 'Is there already', tone: 'bad' },
  refuse: { text: 'Can’t be written', tone: 'bad' },
}

/** Returns the counts of a plan in one sentence. */
export function describeCounts({ counts }: Pick<TargetPlan, 'counts'>): string {
  const parts = [
    [counts.create, 'new'],
    [counts.update, 'to change'],
    [counts.keep, 'unchanged'],
    [counts.delete, 'to delete'],
    [counts.conflict, 'there already'],
    [counts.refuse, 'that can’t be written'],
  ] as const
  const visible = parts.filter(([count]) => count > 0)
  return visible.length === 0
    ? 'No name is chosen.'
    : `${visible.map(([count, words]) => `${count} ${words}`).join(', ')}.`
}

/** Identifies a name at a destination. Secrets and variables each have names of their own. */
export function slotOf({ store, name }: Pick<PlannedName, 'store' | 'name'>): string {
  return `${store} ${name}`
}
