import type { Aside, FlagRule } from './flag-rules.ts'

/** Describes what an environment sets itself for a flag. */
export interface OwnFlag<Rule = FlagRule> {
  readonly value: boolean
  readonly rules: Rule[]
}

/** Describes the first rule of a flag that is turned off. */
interface OffRule {
  readonly when: []
  readonly serve: false
  readonly aside: Aside
}

/**
 * Returns a flag turned off for everyone. Its rules stay behind a first rule that serves off, which also keeps the value
 * for everyone else, so that `turnOn` is the exact way back. `undefined`: the environment sets nothing itself.
 */
export function turnOff<Rule extends FlagRule>(
  own: OwnFlag<Rule> | undefined,
): OwnFlag<Rule | OffRule> {
  if (own !== undefined && isTurnedOff(own.rules)) return own
  const aside: Aside = own === undefined ? 'none' : own.value ? 'on' : 'off'
  return { value: false, rules: [{ when: [], serve: false, aside }, ...(own?.rules ?? [])] }
}

/**
 * Returns what an environment sets itself again when a flag is turned on: `undefined` where it set nothing. Rules that
 * don't turn a flag off are no such state.
 */
export function turnOn<Rule extends FlagRule>([off, ...rules]: readonly Rule[]):
  | OwnFlag<Rule>
  | undefined {
  const aside = off?.aside
  return aside === undefined || aside === 'none' ? undefined : { value: aside === 'on', rules }
}

/** Returns whether rules say that their flag is turned off. */
export function isTurnedOff(rules: readonly FlagRule[] | undefined): boolean {
  return rules?.[0]?.aside !== undefined
}

/** Returns why a list of rules can't be stored, because of a rule that turns off. `undefined`: it can. */
export function findAsideViolation(rules: readonly FlagRule[]): string | undefined {
  for (const [index, { when, serve, aside }] of rules.entries()) {
    if (aside === undefined) continue
    const turnsOff = index === 0 && when.length === 0 && serve === false
    if (!turnsOff)
      return 'Only the first rule may have "aside", for everyone ("when": []) and with "serve": false.'
    if (aside === 'none' && rules.length > 1)
      return 'With "aside": "none" nothing is kept aside. Leave the other rules out, or use "on" or "off".'
  }
  return undefined
}
