/** Describes a condition that every product has, in its own words. */
export type PeerCondition =
  | { readonly attribute: 'plan' | 'country'; readonly oneOf: readonly string[] }
  | { readonly attribute: 'email'; readonly endsWith: string }
  | { readonly attribute: 'seats'; readonly atLeast: number }

/** Turns a flag on for those who meet all conditions, or for a share of everyone. */
export type PeerRule = { readonly when: readonly PeerCondition[] } | { readonly percent: number }

/** Describes a flag that is `on` for everyone whom no rule turns it on for. */
export interface PeerFlag {
  readonly key: string
  readonly on: boolean
  readonly rules: readonly PeerRule[]
}

export interface User {
  readonly id: string
  readonly plan: string
  readonly country: string
  readonly email: string
  readonly seats: number
}

export const share = 30

const plans = ['free', 'team', 'pro', 'enterprise']
const countries = ['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PL', 'NL', 'US', 'GB']

/** Takes `count` neighbours of a list, from any place on. */
const take = (all: readonly string[], from: number, count: number) =>
  Array.from({ length: count }, (_, at) => all[(from + at) % all.length] ?? '')

/**
 * Returns flags as applications have them: a quarter without rules, a quarter for two plans, a quarter with two rules of text and
 * number, and a quarter for one plan and a share of everyone else.
 */
export function makeFlags(count: number): readonly PeerFlag[] {
  return Array.from({ length: count }, (_, at): PeerFlag => {
    const key = `flag${String(at).padStart(5, '0')}`
    const turn = Math.floor(at / 4)
    const rules: readonly (readonly PeerRule[])[] = [
      [],
      [{ when: [{ attribute: 'plan', oneOf: take(plans, turn, 2) }] }],
      [
        {
          when: [
            { attribute: 'email', endsWith: `@team${turn % 5}.example` },
            { attribute: 'country', oneOf: take(countries, turn, 3) },
          ],
        },
        { when: [{ attribute: 'seats', atLeast: 40 + (turn % 50) }] },
      ],
      [{ when: [{ attribute: 'plan', oneOf: take(plans, turn, 1) }] }, { percent: share }],
    ]
    return { key, on: at % 8 === 0, rules: rules[at % 4] ?? [] }
  })
}

export function makeUsers(count: number): readonly User[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `user-${4711 + at * 7}`,
    plan: plans[at % plans.length] ?? '',
    country: countries[(at * 3) % countries.length] ?? '',
    email: `user${at}@team${at % 7}.example`,
    seats: (at * 13) % 97,
  }))
}

/** Returns what a flag is for a user. `undefined`: each product deals the share in its own way. */
export function expectedOf({ on, rules }: PeerFlag, user: User): boolean | undefined {
  for (const rule of rules) {
    if ('percent' in rule) return undefined
    if (rule.when.every((condition) => holds(condition, user))) return true
  }
  return on
}

function holds(condition: PeerCondition, user: User): boolean {
  if ('oneOf' in condition) return condition.oneOf.includes(user[condition.attribute])
  if ('endsWith' in condition) return user.email.endsWith(condition.endsWith)
  return user.seats >= condition.atLeast
}
