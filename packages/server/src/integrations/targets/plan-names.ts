import { createHash, timingSafeEqual } from 'node:crypto'
import {
  findNameCollisions,
  findVariableViolation,
  toVariableText,
  variableNameOf,
  type ConfigValue,
  type Tier,
} from '@signalbox/contract'
import type { TargetStore } from '@signalbox/contract/rest'
import type { RemoteName, TargetDescriptor } from '../../providers/target.ts'
import type { LedgerName, TargetSelection } from './target.ts'

/** Holds a row of the ledger with its digest opened. */
export interface KnownName extends Omit<LedgerName, 'sealedDigest'> {
  /** `null`: it is not known what stands at the destination. */
  readonly digest: string | null
}

/** Describes what a run does with one name. */
export interface PlannedName {
  readonly slot: string
  readonly store: TargetStore
  readonly name: string
  /** `null`: no key has the name any more. */
  readonly key: string | null
  readonly action: 'create' | 'update' | 'keep' | 'delete' | 'conflict' | 'refuse'
  readonly detail: string | null
  readonly isAdoptable: boolean
  readonly remote: RemoteName | undefined
  readonly known: KnownName | undefined
  /** Holds the text to write; `undefined` where nothing is written. Never shown. */
  readonly value: string | undefined
}

/** Holds everything that a plan is made of. */
export interface PlanInput {
  readonly values: ReadonlyMap<
    string,
    { readonly tier: Tier; readonly value: ConfigValue; readonly variable?: string | undefined }
  >
  readonly selection: TargetSelection
  readonly ledger: readonly KnownName[]
  readonly remote: readonly RemoteName[]
  readonly rules: Pick<TargetDescriptor, 'storeOf' | 'isOneNamespace' | 'rejectionOf'>
}

/** Holds what a run will do, and the names that it does not touch. */
export interface NamePlan {
  readonly names: readonly PlannedName[]
  readonly untouched: readonly RemoteName[]
}

/** Returns the digest by which two values are compared. It is stored sealed. */
export function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('base64')
}

/** Returns what a destination tells names apart by. Providers compare names without case. */
export function slotOf(
  { isOneNamespace }: Pick<TargetDescriptor, 'isOneNamespace'>,
  { store, name }: { readonly store: TargetStore; readonly name: string },
): string {
  return isOneNamespace === true ? name.toUpperCase() : `${store}/${name.toUpperCase()}`
}

/**
 * Compares the chosen values with the names at the destination and with the ledger. Names that are not in
 * the ledger are never written and never deleted. Pure.
 */
export function planNames({ values, selection, ledger, remote, rules }: PlanInput): NamePlan {
  const bySlot = new Map(ledger.map((known) => [known.slot, known]))
  const there = new Map(remote.map((entry) => [slotOf(rules, entry), entry]))
  const chosenKeys = chooseKeys(values, selection)
  const names = new Map(chosenKeys.map(({ key, name }) => [key, name]))
  const collisions = new Map(
    [...findNameCollisions(names.keys(), (key) => names.get(key) ?? key)].flatMap(([, keys]) =>
      keys.map((key) => [key, keys] as const),
    ),
  )
  const planned = chosenKeys.map(({ key, name, tier, value }): PlannedName => {
    const store = rules.storeOf(tier)
    const slot = slotOf(rules, { store, name })
    const text = toVariableText(value)
    const common = {
      slot,
      store,
      name,
      key,
      isAdoptable: false,
      detail: null,
      remote: there.get(slot),
      known: bySlot.get(slot),
      value: text,
    }
    const rejection =
      collisionOf(collisions.get(key), name) ??
      findVariableViolation({ name, tier, value: text }) ??
      rules.rejectionOf({ store, name, value: text })
    if (rejection !== undefined) {
      return { ...common, action: 'refuse', detail: rejection, value: undefined }
    }
    return { ...common, ...judge(common, { store, digest: digestOf(text) }) }
  })
  // A name that is refused now and was written before stays as it is.
  const chosen = new Set(planned.map(({ slot }) => slot))
  // A name that was adopted and never written is not ours to delete.
  const written = ledger.filter(({ state }) => state !== 'adopted')
  const dropped = written.filter(({ slot }) => !chosen.has(slot)).map((known) => drop(known, there))
  const ours = new Set([...chosen, ...written.map(({ slot }) => slot)])
  return {
    names: [...planned, ...dropped].toSorted((one, other) => compare(one.name, other.name)),
    untouched: remote.filter((entry) => !ours.has(slotOf(rules, entry))),
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function chooseKeys(values: PlanInput['values'], { tiers, keys, prefix }: TargetSelection) {
  const listed = new Set(keys)
  return [...values]
    .filter(([key, { tier }]) => tiers.includes(tier) || listed.has(key))
    .map(([key, { tier, value, variable }]) => ({
      key,
      name: `${prefix}${variableNameOf(key, variable)}`,
      tier,
      value,
    }))
}

type NameCheck = Pick<PlannedName, 'action'> & Partial<Pick<PlannedName, 'detail' | 'isAdoptable'>>

function judge(
  { remote, known }: Pick<PlannedName, 'remote' | 'known'>,
  written: { readonly store: TargetStore; readonly digest: string },
): NameCheck {
  if (remote === undefined) return { action: 'create' }
  if (known === undefined) return conflictWith(remote)
  if (isWritten(known, written)) return { action: 'keep' }
  // It may have been given to others since Signalbox wrote it.
  return remote.unadoptable === undefined ? { action: 'update' } : conflictWith(remote)
}

function conflictWith({ unadoptable }: RemoteName): NameCheck {
  return {
    action: 'conflict',
    detail:
      unadoptable ??
      'The name is there, and Signalbox did not write it. Adopt it to let Signalbox overwrite it.',
    isAdoptable: unadoptable === undefined,
  }
}

function isWritten(
  { state, store, digest }: KnownName,
  written: { readonly store: TargetStore; readonly digest: string },
): boolean {
  return state === 'written' && store === written.store && isSameDigest(digest, written.digest)
}

/** Takes the same time for a near miss and a far one. */
function isSameDigest(known: string | null, digest: string): boolean {
  return known?.length === digest.length && timingSafeEqual(Buffer.from(known), Buffer.from(digest))
}

/** A name that belongs to others too by now is forgotten, and stays where it is. */
function drop(known: KnownName, there: ReadonlyMap<string, RemoteName>): PlannedName {
  const { slot, store, name } = known
  const remote = there.get(slot)
  const isShared = remote?.unadoptable !== undefined
  return {
    slot,
    store,
    name,
    key: null,
    action: 'delete',
    detail: isShared
      ? 'It belongs to others too by now, so it stays there and Signalbox forgets it.'
      : null,
    isAdoptable: false,
    remote: isShared ? undefined : remote,
    known,
    value: undefined,
  }
}

function collisionOf(keys: readonly string[] | undefined, name: string): string | undefined {
  return keys && `${keys.join(' and ')} become the same name ${name}. Rename one of them.`
}
