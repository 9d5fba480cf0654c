import type { Gate, GateRule, GateRuleKind } from '@signalbox/contract/rest'

/** Holds a rule of the form. Its number stays the same while others come and go. */
export interface DraftRule {
  readonly number: number
  readonly rule: GateRule
}

/** Describes a gate as the form holds it. */
export interface GateDraft {
  readonly name: string
  readonly environmentIds: readonly string[]
  /** Lists repositories by name. `null`: all. */
  readonly repositories: readonly string[] | null
  readonly mode: Gate['mode']
  readonly rules: readonly DraftRule[]
}

/** Holds the form of a new gate. */
export const freshGate: GateDraft = {
  name: '',
  environmentIds: [],
  repositories: null,
  mode: 'enforce',
  rules: [],
}

/** Returns a saved gate as the form holds it. */
export function toDraft({ name, environmentIds, repositories, mode, rules }: Gate): GateDraft {
  return {
    name,
    environmentIds,
    repositories: repositories.length === 0 ? null : repositories,
    mode,
    rules: rules.map((rule, number) => ({ number, rule })),
  }
}

/** Returns the body that creates or changes the gate. */
export function toBody({ name, environmentIds, repositories, mode, rules }: GateDraft) {
  return {
    name: name.trim(),
    environmentIds: [...environmentIds],
    repositories: [...(repositories ?? [])],
    mode,
    rules: rules.map(({ rule }) => rule),
  }
}

/** Returns whether everything is there that the browser does not ask for by itself. */
export function isComplete({ environmentIds, repositories, rules }: GateDraft): boolean {
  return (
    environmentIds.length > 0 &&
    repositories?.length !== 0 &&
    rules.length > 0 &&
    rules.every(({ rule }) => rule.rule !== 'freeze' || isWholeFreeze(rule))
  )
}

function isWholeFreeze({ windows }: Extract<GateRule, { rule: 'freeze' }>): boolean {
  return windows.length > 0 && windows.every(({ days }) => days.length > 0)
}

interface Defaults {
  /** Holds the environment that a rule is about at first. */
  readonly environmentId: string
  /** Names the time zone of the browser. */
  readonly zone: string
}

/** Returns a rule of a kind as the form begins with it. */
export function startRule(kind: GateRuleKind, { environmentId, zone }: Defaults): GateRule {
  switch (kind) {
    case 'tests':
      return { rule: 'tests', environmentId, withinHours: 24 }
    case 'soak':
      return { rule: 'soak', environmentId, minutes: 30 }
    case 'freeze':
      return { rule: 'freeze', windows: [startWindow(zone)], exceptHotfix: true }
    case 'approvals':
      return { rule: 'approvals', count: 1, members: [] }
    case 'configuration':
    case 'issues':
    case 'quiet':
      return { rule: kind }
  }
}

/** Returns a window as the form begins with it: Friday afternoon. */
export function startWindow(zone: string) {
  return { days: ['fri' as const], from: '15:00', to: '23:59', zone }
}

/** Returns a draft with one more rule at its end. */
export function addRule(draft: GateDraft, rule: GateRule): GateDraft {
  const number = Math.max(-1, ...draft.rules.map((one) => one.number)) + 1
  return { ...draft, rules: [...draft.rules, { number, rule }] }
}
