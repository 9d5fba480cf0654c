import { Problem, type ProblemPlace } from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { requireReach, type Caller } from '../caller.ts'
import { checkRules, type GivenRules } from '../constraints/check-rules.ts'
import { checkValues, unknownKey } from '../constraints/check-values.ts'
import { createCheckWork, type CheckWork } from '../constraints/check-work.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import { ownKeys, type ConfigHead } from './config-head.ts'
import { findConflicts, requireNoConflict, type ConfigConflict } from '../conflicts.ts'
import type { Consent } from '../environments/consent.ts'
import type { Definition } from '../schemas/definition.ts'
import type { ValueEdit } from './edit-head.ts'
import { planUndo, type RestoredFrom } from '../versions/plan-undo.ts'
import {
  changeValues,
  headOf,
  openState,
  refuseFaults,
  type ChangedValues,
} from './write-values.ts'

/** What a change set does in one environment. */
export interface EnvironmentChange {
  readonly environmentId: string
  /** The version that the caller has seen; `undefined`: whatever it is. */
  readonly expectedVersion: number | undefined
  readonly set: Readonly<Record<string, unknown>>
  /** Of some flags; `null` or none takes them away. */
  readonly rules: GivenRules
  readonly unset: readonly string[]
}

export interface ChangeConfig {
  readonly schemaId: string
  readonly changes: readonly EnvironmentChange[]
  readonly consent: Consent
  readonly dryRun: boolean
}

/** What is wrong with one cell. */
export interface CellProblem extends ProblemPlace {
  readonly environmentId: string
  readonly key: string
}

export interface ChangedConfig extends ChangedValues {
  /** Of a dry run; what else is looked at leaves the environments out that have any. */
  readonly problems: readonly CellProblem[]
  /** Of a dry run. */
  readonly conflicts: readonly ConfigConflict[]
  /** What to restore to take it back; empty when nothing was stored. */
  readonly undo: readonly RestoredFrom[]
}

/**
 * Changes values in several environments: all of it or, when one cell is at fault or one environment refuses, nothing. A dry
 * run answers what is at fault, missing or stale instead of being refused with it.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `validation_failed` for an environment that is named twice; unless it
 * is a dry run `revision_mismatch` with the conflicts, `confirmation_required`, `comment_required`, and with a place for each
 * faulty cell what a write of the values would be refused with.
 */
export async function changeConfig(
  deps: ConfigDeps,
  caller: Caller,
  { schemaId, changes, consent, dryRun }: ChangeConfig,
): Promise<ChangedConfig> {
  for (const { environmentId } of changes) requireReach(caller, { schemaId, environmentId })
  requireDistinct(changes)
  const { orgId } = caller
  const environmentIds = changes.map(({ environmentId }) => environmentId)
  return commit(deps, caller, async (tx) => {
    const opened = await openState(deps, tx, { orgId, schemaId, environmentIds })
    const { state } = opened
    const expected = changes.map((change) => ({ ...change, keys: keysOf(change) }))
    const conflicts = await findConflicts(tx, orgId, state, expected)
    if (!dryRun) requireNoConflict(conflicts)
    const { edits, problems } = await checkChanges(state.schema.definition, state.heads, changes)
    if (problems.length > 0 && !dryRun) throw refuseFaults(problems.map(toPlace))
    const changed = await changeValues(deps, tx, caller, {
      ...opened,
      edits,
      kind: 'write',
      action: 'value.set',
      comment: consent.comment,
      consent,
      dryRun,
    })
    const undo = await planUndo(tx, { orgId, schemaId }, changed.environments)
    return { ...changed, problems, conflicts, undo }
  })
}

function requireDistinct(changes: readonly EnvironmentChange[]): void {
  const met = new Set<string>()
  for (const [index, { environmentId }] of changes.entries()) {
    if (!met.has(environmentId)) {
      met.add(environmentId)
      continue
    }
    const detail = 'Name each environment once.'
    const pointer = toJsonPointer(['changes', String(index), 'environmentId'])
    throw new Problem('validation_failed', detail, {
      errors: [{ pointer, code: 'validation_failed', detail }],
    })
  }
}

function keysOf({ set, rules, unset }: EnvironmentChange): ReadonlySet<string> {
  return new Set([...Object.keys(set), ...Object.keys(rules), ...unset])
}

interface CheckedChanges {
  /** Of the environments without a fault. */
  readonly edits: ReadonlyMap<string, ValueEdit>
  readonly problems: readonly CellProblem[]
}

async function checkChanges(
  definition: Definition,
  heads: ReadonlyMap<string, ConfigHead>,
  changes: readonly EnvironmentChange[],
): Promise<CheckedChanges> {
  const edits = new Map<string, ValueEdit>()
  const problems: CellProblem[] = []
  const work = createCheckWork()
  for (const [index, change] of changes.entries()) {
    const { environmentId } = change
    const head = headOf({ heads }, environmentId)
    const path = ['changes', String(index)]
    const checked = await checkChange({ definition, head, path, work }, change)
    if ('edit' in checked) edits.set(environmentId, checked.edit)
    else problems.push(...checked.problems)
  }
  return { edits, problems }
}

interface CheckContext {
  readonly definition: Definition
  readonly head: ConfigHead
  readonly path: readonly string[]
  readonly work: CheckWork
}

async function checkChange(
  { definition, head, path, work }: CheckContext,
  { environmentId, set, rules, unset }: EnvironmentChange,
): Promise<{ readonly edit: ValueEdit } | { readonly problems: readonly CellProblem[] }> {
  const removed = new Set(unset)
  const stays = (key: string) =>
    !removed.has(key) && typeof head.openValues[key]?.value === 'boolean'
  const hasValue = (key: string) => Object.hasOwn(set, key) || stays(key)
  const checked = await checkValues(definition, set, [...path, 'set'], work)
  const ruled = checkRules(definition, rules, hasValue, [...path, 'rules'])
  const faults = [
    ...('faults' in checked ? checked.faults : []),
    ...('faults' in ruled ? ruled.faults : []),
    ...findUnsetFaults({ definition, head, path, work }, { set, unset }),
  ]
  if ('values' in checked && 'rules' in ruled && faults.length === 0) {
    return { edit: { set: checked.values, rules: ruled.rules, remove: removed } }
  }
  const keys = keysByPointer(path, { set, rules, unset })
  const toProblem = (fault: ProblemPlace) => {
    return { environmentId, key: keys.get(fault.pointer) ?? '', ...fault }
  }
  return { problems: faults.map(toProblem) }
}

function findUnsetFaults(
  { definition, head, path }: CheckContext,
  { set, unset }: Pick<EnvironmentChange, 'set' | 'unset'>,
): ProblemPlace[] {
  const stored = new Set(ownKeys(head))
  return unset.flatMap((key, index) => {
    const pointer = toJsonPointer([...path, 'unset', String(index)])
    if (Object.hasOwn(set, key)) {
      const detail = `${key} is set by the same request. Name it in "set" or in "unset".`
      return [{ pointer, code: 'validation_failed' as const, detail }]
    }
    if (definition.has(key) || stored.has(key)) return []
    return [{ pointer, ...unknownKey(definition, key) }]
  })
}

function keysByPointer(
  path: readonly string[],
  { set, rules, unset }: Pick<EnvironmentChange, 'set' | 'rules' | 'unset'>,
): ReadonlyMap<string, string> {
  const at = (field: string, name: string, key: string) =>
    [toJsonPointer([...path, field, name]), key] as const
  return new Map([
    ...Object.keys(set).map((key) => at('set', key, key)),
    ...Object.keys(rules).map((key) => at('rules', key, key)),
    ...unset.map((key, index) => at('unset', String(index), key)),
  ])
}

function toPlace({ pointer, code, detail }: CellProblem): ProblemPlace {
  return { pointer, code, detail }
}
