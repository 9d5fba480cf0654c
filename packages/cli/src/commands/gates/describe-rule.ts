import type { Answer } from '../../api/operations.ts'
import { countOf } from '../../terminal/count.ts'

/** Describes what deployments to some environments wait for. */
export type Gate = Answer<'listGates'>['items'][number]
type Rule = Gate['rules'][number]

/** Returns what a rule asks for, in a few words. `nameOf` returns the name of an environment. */
export function describeRule(rule: Rule, nameOf: (environmentId: string) => string): string {
  switch (rule.rule) {
    case 'configuration':
      return 'configuration'
    case 'tests':
      return `tests in ${nameOf(rule.environmentId)} within ${rule.withinHours} h`
    case 'soak':
      return `live in ${nameOf(rule.environmentId)} for ${rule.minutes} min`
    case 'freeze':
      return rule.windows
        .map(({ days, from, to, zone }) => `not ${days.join(' ')} ${from} to ${to} ${zone}`)
        .join(', ')
    case 'issues':
      return 'issues done'
    case 'quiet':
      return 'quiet'
    case 'approvals':
      return countOf(rule.count, 'approval')
  }
}
