import type { AnswerOf } from '../../api/routes.ts'

/** Describes the policies of an organization, with their effects. */
export type Policies = AnswerOf<'GET /organizations/{org_id}/policies'>

const named = 20

/** Returns names as the subject of a sentence: `Ada, Ben and 3 more`. */
export function joinNames(names: readonly string[], most = named): string {
  const named = names.slice(0, most)
  const rest = names.length - named.length
  if (rest > 0) return `${named.join(', ')} and ${rest} more`
  const last = named.at(-1) ?? ''
  return named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`
}

/** Returns in sentences whom policies keep out, and what else they change. Empty: nothing. */
export function describeEffects({
  secondFactorRequired,
  effects,
}: Pick<Policies, 'secondFactorRequired' | 'effects'>): string[] {
  const { withoutSecondFactor, longTokens, longKeys, assistants } = effects
  const refused = assistants.filter(({ scope }) => scope === null)
  const reading = assistants.filter(({ scope }) => scope !== null)
  const sentences: [isTrue: boolean, sentence: string][] = [
    [
      secondFactorRequired && withoutSecondFactor.length > 0,
      `No second factor: ${joinNames(withoutSecondFactor.map(({ name }) => name))}. They reach nothing here until they turn one on.`,
    ],
    [
      longTokens.length > 0,
      `Personal access tokens that work for longer: those of ${joinNames(longTokens.map(({ name, tokens }) => `${name} (${tokens})`))}. They no longer reach this organization.`,
    ],
    [
      longKeys.length > 0,
      `API keys that end later: ${joinNames(longKeys.map(({ name }) => name))}. They go on: change their end, or rotate to new keys.`,
    ],
    [refused.length > 0, `Assistants that are kept out: ${joinNames(refused.map(toName))}.`],
    [
      reading.length > 0,
      `Assistants that only read and propose from now on: ${joinNames(reading.map(toName))}.`,
    ],
  ]
  return sentences.flatMap(([isTrue, sentence]) => (isTrue ? [sentence] : []))
}

function toName({ clientHost, name, memberName }: Policies['effects']['assistants'][number]) {
  return `${clientHost ?? name} of ${memberName}`
}
