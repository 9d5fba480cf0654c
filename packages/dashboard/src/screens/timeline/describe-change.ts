import {
  describeFlag,
  describeFlagMove,
  describeMovedSource,
  hasRuledKey,
  toVariableText,
  type ConfigValue,
} from '@signalbox/contract'
import type { Change, ChangeKind } from '@signalbox/contract/rest'
import {
  FlaskConical,
  Flag,
  GitPullRequest,
  Rocket,
  SlidersHorizontal,
  type LucideIcon,
} from 'lucide-react'

interface KindVariant {
  readonly word: string
  /** Names the kind on its filter. */
  readonly plural: string
  readonly icon: LucideIcon
}

/** Maps each kind of change to its words and icon, in the order of the filter. */
export const kindVariants: Readonly<Record<ChangeKind, KindVariant>> = {
  deployment: { word: 'Deployment', plural: 'Deployments', icon: Rocket },
  config_version: { word: 'Configuration', plural: 'Configuration', icon: SlidersHorizontal },
  flag_flip: { word: 'Flag', plural: 'Flags', icon: Flag },
  test_run: { word: 'Tests', plural: 'Tests', icon: FlaskConical },
  change_request: { word: 'Request', plural: 'Requests', icon: GitPullRequest },
}

type KeyChange = NonNullable<Change['configuration']>['changes'][number]

/** Describes what became of a key: both values, or a sentence where there are none to show. */
export interface KeyChangeText {
  readonly before?: string
  readonly after?: string
  readonly note?: string
}

/** Returns the old and the new value of a key, for a flag with its rules. For a secret, it says only what was done to it. */
export function describeKeyChange(keyChange: KeyChange): KeyChangeText {
  const { tier, change, before, after } = keyChange
  if (tier === 'secret') return { note: secretNotes[change] }
  if (before === undefined && after === undefined) return { note: sameNotes[change] }
  if (hasRuledKey(keyChange)) return describeFlagStates(keyChange)
  const note = after === undefined ? undefined : describeMovedSource(keyChange, toText(after))
  if (note !== undefined) return { note }
  return {
    before: before === undefined ? 'not set' : toText(before),
    after: after === undefined ? 'not set' : toText(after),
  }
}

function describeFlagStates(keyChange: KeyChange): KeyChangeText {
  const { before: was, after: is, rulesBefore, rulesAfter } = keyChange
  const before = describeFlag({ value: was, rules: rulesBefore })
  const after = describeFlag({ value: is, rules: rulesAfter })
  if (before !== after) return { before, after }
  // The line of the segment names it, and says who was in it and who is.
  return { note: keyChange.segments === undefined ? describeFlagMove(keyChange) : after }
}

const secretNotes: Readonly<Record<KeyChange['change'], string>> = {
  added: 'secret set',
  changed: 'secret changed',
  removed: 'secret removed',
}

const sameNotes: Readonly<Record<KeyChange['change'], string>> = {
  added: 'set here, same as the default',
  changed: 'changed, same value for applications',
  removed: 'no longer set here, same value',
}

function toText(value: ConfigValue): string {
  return value === '' ? 'empty' : toVariableText(value)
}

type RequestOfChange = NonNullable<Change['request']>

/** Returns the request of a change, and what became of it. Example: `request 12, approved by Ben`. */
export function describeRequest(request: RequestOfChange): string {
  const { number, state, approvedBy, overridden, versions } = request
  const approved = approvedBy.length === 0 ? [] : [`approved by ${approvedBy.join(', ')}`]
  const made = versions > 1 ? [`${versions} versions`] : []
  const parts =
    state === 'applied'
      ? [...(overridden ? ['without its approvals'] : approved), ...made]
      : [stateWords[state], ...approved]
  return [`request ${number}`, ...parts].join(', ')
}

const stateWords: Readonly<Record<Exclude<RequestOfChange['state'], 'applied'>, string>> = {
  open: 'requested',
  approved: 'not applied yet',
  scheduled: 'scheduled',
  declined: 'declined',
  withdrawn: 'withdrawn',
  expired: 'expired',
  failed: 'failed',
}
