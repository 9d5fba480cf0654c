import { canonicalJson } from '@signalbox/contract'
import type { EnvironmentPolicies } from '../../config-model/confirmation.ts'
import type { Effect, EffectSide } from '../../config-model/effects.ts'
import type { VersionRecord } from '../../config-model/plan-publication.ts'
import { openSecret } from '../../config-model/sealed-secrets.ts'
import { sign } from '../../crypto/sign.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { ApprovalCheck } from '../../config-model/approval-check.ts'
import type { Conflict, KeptEffect, KeptSide } from './request.ts'

/** Holds what a write has asked consent for. */
export interface ChangeRecorder {
  readonly approvalCheck: ApprovalCheck
  readonly effects: Effect[]
  readonly versions: VersionRecord[]
  /** The policies from before the write. */
  readonly policies: () => EnvironmentPolicies
}

/** Returns a check that allows everything, and remembers it. */
export function recordChanges(writerIds: readonly string[]): ChangeRecorder {
  const effects: Effect[] = []
  const versions: VersionRecord[] = []
  let policies: EnvironmentPolicies = new Map()
  const approvalCheck: ApprovalCheck = {
    isOfRequest: true,
    writerIds,
    require(change) {
      if (policies.size === 0) ({ policies } = change)
      effects.push(...change.effects)
      versions.push(...change.versions)
    },
  }
  return { approvalCheck, effects, versions, policies: () => policies }
}

interface KeepEffects {
  readonly sealer: Sealer
  readonly orgId: string
  /** Makes the marks of a request, which say nothing to anybody who does not have it. */
  readonly markKey: Buffer
}

/**
 * Returns effects as a request keeps them, one for each key of an environment: what was before the first write of it, and is
 * after the last.
 */
export function keepEffects(
  of: KeepEffects,
  { effects }: Pick<ChangeRecorder, 'effects'>,
): KeptEffect[] {
  const byPosition = new Map<string, KeptEffect>()
  for (const effect of effects) {
    const { lenient, ...rest } = effect
    const name = positionOf(effect)
    const earlier = byPosition.get(name)
    const isLenient = lenient !== undefined && (earlier ?? effect).lenient === lenient
    byPosition.set(name, {
      ...rest,
      before: earlier === undefined ? keepSide(of, effect, effect.before) : earlier.before,
      after: keepSide(of, effect, effect.after),
      ...(isLenient && { lenient }),
    })
  }
  return [...byPosition.values()]
}

/** Names the position of an effect: equal names are one row for reviewers. A name, a parent, a policy and each signal have one. */
function positionOf({
  environmentId,
  schemaId,
  key,
  before,
  after,
}: Pick<KeptEffect, 'environmentId' | 'schemaId' | 'key'> & {
  readonly before: Pick<EffectSide, 'signal'> | null
  readonly after: Pick<EffectSide, 'signal'> | null
}): string {
  const side = before ?? after
  const whole = key === null ? Object.keys(side ?? {}).join() : ''
  return JSON.stringify([environmentId, schemaId, key, whole, side?.signal?.id])
}

function keepSide(
  { sealer, orgId, markKey }: KeepEffects,
  { schemaId, key }: Effect,
  side: EffectSide | null,
): KeptSide | null {
  if (side === null) return null
  const { secret, ...open } = side
  if (secret === undefined) return open
  const text =
    'text' in secret
      ? secret.text
      : openSecret({ sealer, orgId, schemaId: schemaId ?? '' }, { key: key ?? '', ...secret })
  return { mark: sign(markKey, text).slice(0, 12) }
}

function isSame(one: KeptSide | null, other: KeptSide | null): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** Describes a difference, before it is known who has made it. */
export type Difference = Omit<Conflict, 'by' | 'at'>

/**
 * Returns where the effects of now are not those that reviewers saw. A secret that is set to what it is already changes nothing,
 * and who may not read it is not told, so it is no difference either.
 */
export function findConflicts(
  then: readonly KeptEffect[],
  now: readonly KeptEffect[],
): readonly Difference[] {
  const [reviewed, current] = [toMap(then), toMap(now)]
  return [...new Set([...reviewed.keys(), ...current.keys()])].flatMap((name) => {
    const [old, latest] = [reviewed.get(name), current.get(name)]
    if (old !== undefined && latest !== undefined && isAlike(old, latest)) return []
    const any = old ?? latest
    if (any === undefined) return []
    const { environmentId, environment, schemaId, key } = any
    const position = { environmentId, environment, schemaId, key }
    // oxlint-disable-next-line unicorn/no-thenable -- a name of the contract, and nothing that is awaited
    return [{ ...position, then: old?.before ?? null, now: latest?.before ?? old?.after ?? null }]
  })
}

function toMap(effects: readonly KeptEffect[]): ReadonlyMap<string, KeptEffect> {
  return new Map(effects.filter(isChange).map((effect) => [positionOf(effect), effect]))
}

function isChange({ before, after }: KeptEffect): boolean {
  return before?.mark === undefined || before.mark !== after?.mark
}

function isAlike(one: KeptEffect, other: KeptEffect): boolean {
  return isSame(one.before, other.before) && isSame(one.after, other.after)
}

/** Returns an effect that shows nothing but that a secret is there. */
export function hideEffect(effect: KeptEffect): KeptEffect {
  return { ...effect, before: hideSide(effect.before), after: hideSide(effect.after) }
}

function hideSide(side: KeptSide | null): KeptSide | null {
  return side && { mark: side.mark ?? '' }
}
