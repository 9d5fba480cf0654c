import {
  defaultProof,
  type FlagRule,
  type PlanReason,
  type PlanState,
  type ProofState,
  type ProofTerms,
} from '@signalbox/contract'
import type { PlanStep } from '@signalbox/contract/rest'
import type { Author } from '../../audit/audit-event.ts'

/** Describes a step, and when it began last. */
export interface StepRow extends PlanStep {
  readonly at: string | null
  readonly versionId: string | null
}

/** Says why a plan is paused, or has ended early. */
export interface PlanReasonText {
  readonly code: PlanReason
  readonly detail: string
}

/** Describes a rollout in steps, as it is stored. */
export interface PlanRow {
  readonly id: string
  readonly schemaId: string
  readonly environmentId: string
  readonly flag: string
  readonly ruleId: string
  readonly steps: readonly StepRow[]
  /** Holds the position of the step that is live, from 0. */
  readonly position: number
  readonly state: PlanState
  readonly nextAt: Date
  /** Names the version that the step has made, whose proof is its own. `null`: it has changed nothing. */
  readonly versionId: string | null
  /** Holds the share from before. `null`: the plan has made the rule. */
  readonly startPercent: number | null
  readonly prove: ProofTerms | null
  /** Maps each environment that it reached when it was made to the approvals that it has there. */
  readonly covered: Readonly<Record<string, number>>
  readonly reason: PlanReasonText | null
  /** Names who has made it, and who else has written the request that it comes from. */
  readonly author: Author & { readonly writerIds?: readonly string[] }
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | null
}

/** Describes what becomes of a plan by itself. */
export type PlanMove =
  | { readonly kind: 'step'; readonly position: number }
  | { readonly kind: 'finish' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'pause' | 'restored'; readonly reason: PlanReasonText }

/** Describes the proof of the step that is live. */
interface EndedProof {
  readonly state: ProofState
  readonly isRestored: boolean
  readonly detail: string
}

/**
 * Decides what becomes of a running plan. One step at a time: after an outage the next one begins, and holds for its whole time.
 * `undefined`: it goes on as it is.
 */
export function nextMove(
  { steps, position, nextAt }: Pick<PlanRow, 'steps' | 'position' | 'nextAt'>,
  proof: EndedProof | undefined,
  now: Date,
): PlanMove | undefined {
  const ended = endedMove(proof)
  if (ended !== undefined) return ended
  if (proof?.state === 'watching' || now < nextAt) return undefined
  const next = steps[position + 1]
  if (next === undefined) return { kind: 'finish' }
  return next.approve === true ? { kind: 'wait' } : { kind: 'step', position: position + 1 }
}

/** Decides about a plan whose proof has ended otherwise than proven. */
export function endedMove(proof: EndedProof | undefined): PlanMove | undefined {
  if (proof?.state === 'failed') {
    const reason = { code: 'failed', detail: proof.detail } as const
    return { kind: proof.isRestored ? 'restored' : 'pause', reason }
  }
  if (proof?.state !== 'inconclusive' && proof?.state !== 'stopped') return undefined
  return { kind: 'pause', reason: { code: 'undecided', detail: proof.detail } }
}

/** Returns how the version of a step is watched. `undefined`: as its environment asks for it. */
export function termsOf(
  { prove }: Pick<PlanRow, 'prove'>,
  { signals }: Pick<PlanStep, 'signals'>,
): ProofTerms | undefined {
  if (signals === undefined) return prove ?? undefined
  return { ...defaultProof, ...prove, signals }
}

/** Returns the rules with which one of them serves a share. `null`: it is gone, or serves something else. */
export function withPercent(
  rules: readonly FlagRule[],
  ruleId: string,
  percent: number,
): readonly FlagRule[] | null {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined || shareOf(rule) === undefined) return null
  const { serve } = rule
  const share = typeof serve === 'object' && 'percent' in serve ? { ...serve, percent } : serve
  return rules.map((each) => (each === rule ? { ...rule, serve: share } : each))
}

/** Returns the share that a rule serves. `undefined`: it serves something else. */
export function shareOf({ serve }: Pick<FlagRule, 'serve'>): number | undefined {
  return typeof serve === 'object' && 'percent' in serve ? serve.percent : undefined
}

/** Names what people press. */
export type PlanButton = 'pause' | 'resume' | 'next' | 'back' | 'stop' | 'restore'

/** Returns whether a button does something for a plan as it is. */
export function canPress({ state, position, steps }: PlanRow, button: PlanButton): boolean {
  const isActive = state === 'running' || state === 'paused' || state === 'waiting'
  if (button === 'pause') return state === 'running' || state === 'waiting'
  if (button === 'resume') return state === 'paused'
  if (button === 'next')
    return (state === 'running' || state === 'waiting') && position + 1 < steps.length
  if (button === 'back') return isActive && position > 0
  return isActive
}
