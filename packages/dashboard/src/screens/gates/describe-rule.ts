import type { GateRule } from '@signalbox/contract/rest'
import { toDuration } from '../../components/time.tsx'

/** Describes a window of time in which nothing is deployed. */
export type FreezeWindow = Extract<GateRule, { rule: 'freeze' }>['windows'][number]
/** Names a day of the week. */
export type Weekday = FreezeWindow['days'][number]

/** Returns the names of what rules name by their ids. */
export interface Names {
  readonly environment: (id: string) => string
  readonly member: (id: string) => string
}

const list = new Intl.ListFormat('en-GB')

/** Returns what a rule asks for, as one sentence. */
export function describeRule(rule: GateRule, names: Names): string {
  switch (rule.rule) {
    case 'configuration':
      return 'Every required key of the commit has a valid value.'
    case 'tests':
      return `Tests of the same commit passed in ${names.environment(rule.environmentId)} within ${describeHours(rule.withinHours)}.`
    case 'soak':
      return `The same commit has been live in ${names.environment(rule.environmentId)} for ${toDuration(rule.minutes * 60_000)}.`
    case 'freeze':
      return describeFreeze(rule)
    case 'issues':
      return 'The issues of the deployment are done.'
    case 'quiet':
      return 'No change of values there is being watched, and nothing there has just failed.'
    case 'approvals':
      return describeApprovals(rule, names)
  }
}

function describeHours(hours: number): string {
  if (hours % 24 !== 0) return hours === 1 ? 'an hour' : `${hours} hours`
  return hours === 24 ? 'a day' : `${hours / 24} days`
}

function describeFreeze({ windows, exceptHotfix }: Extract<GateRule, { rule: 'freeze' }>): string {
  const hotfix = exceptHotfix ? ' A branch or tag that begins with hotfix goes on anyway.' : ''
  return `No freeze is on: ${windows.map(describeWindow).join('; ')}.${hotfix}`
}

function describeWindow({ days, from, to, zone }: FreezeWindow): string {
  const end = to <= from ? `${to} on the next day` : to
  return `${describeDays(days)} from ${from} to ${end} (${zone})`
}

/** Maps each day to its name, from Monday on. */
export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

function describeDays(days: readonly Weekday[]): string {
  const named = Object.entries(dayNames).filter(([day]) => days.some((one) => one === day))
  if (named.length === 7) return 'every day'
  return list.format(named.map(([, name]) => name))
}

function describeApprovals(
  { count, members }: Extract<GateRule, { rule: 'approvals' }>,
  { member }: Names,
): string {
  const people = count === 1 ? '1 person approves it' : `${count} people approve it`
  if (members.length === 0) return `${people}, of those who may change values there.`
  const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  return `${people}: ${anyOf.format(members.map(member))}.`
}
