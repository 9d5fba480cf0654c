import type { ProblemLocation } from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { requireDistinctIds } from '../../http/input/known-ids.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import { segmentsOf, type RequestedRules } from '../../config-model/constraints/check-rules.ts'
import { checkEdit } from '../../config-model/constraints/check-values.ts'
import { createCheckWork } from '../../config-model/constraints/check-work.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import { findConflicts, requireNoConflict, type ConfigConflict } from '../conflicts.ts'
import type { Confirmation } from '../../config-model/confirmation.ts'
import type { ValueEdit } from '../../config-model/edit-values.ts'
import type { ConfigState } from '../../config-model/resolve-values.ts'
import { planUndo, type RestoredFrom } from '../versions/plan-undo.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import { withSegments } from '../segments/read-known-segments.ts'
import { turnFlags, type Turns, type TurnViolation } from './turn-flags.ts'
import {
  changeValues,
  lockForWrite,
  type ChangedValues,
  type WriteContext,
} from './write-values.ts'

/** Describes what a change set does in one environment. */
interface EnvironmentChange {
  readonly environmentId: string
  /** The version that the caller has seen; `undefined`: any. */
  readonly expectedVersion: number | undefined
  readonly set: Readonly<Record<string, unknown>>
  /** The rules of some flags; `null` or an empty list removes them. */
  readonly rules: RequestedRules
  readonly unset: readonly string[]
  readonly turn: Turns
}

/** Describes a change set: edits of several environments of a schema that are stored together. */
export interface ChangeConfig {
  readonly schemaId: string
  readonly changes: readonly EnvironmentChange[]
  /** Keys whose open values may have the form of a credential. Not heeded where an assistant sends it. */
  readonly allowPlain: readonly string[]
  readonly confirmation: Confirmation
  readonly dryRun: boolean
}

/** Describes what is wrong with one cell: a key in an environment. */
interface CellProblem extends ProblemLocation {
  readonly environmentId: string
  readonly key: string
}

/** Describes what a change set changed, or what a dry run found. */
export interface ChangedConfig extends ChangedValues {
  /** The problems that a dry run found. Environments that have some are left out of everything else it returns. */
  readonly problems: readonly CellProblem[]
  /** The conflicts that a dry run found. */
  readonly conflicts: readonly ConfigConflict[]
  /** The versions to restore to take the change back; empty when nothing was stored. */
  readonly undo: readonly RestoredFrom[]
}

/**
 * Changes values in several environments: all of it or, when one cell breaks a rule or one environment refuses, nothing.
 * A dry run returns problems, requirements and conflicts instead of being refused with them.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `validation_failed` for each environment that is absent or named twice;
 * unless it is a dry run `revision_mismatch` with the conflicts, `confirmation_required`, `comment_required`, and with
 * a pointer to each invalid cell what a write of the values would be refused with.
 */
export async function changeConfig(
  deps: ConfigDeps,
  caller: Caller,
  { schemaId, changes, allowPlain, confirmation, dryRun }: ChangeConfig,
): Promise<ChangedConfig> {
  for (const { environmentId } of changes)
    requireReach(caller, 'writeValues', { schemaId, environmentId })
  const named = changes.map(({ environmentId: id }, at) => {
    return { path: ['changes', at, 'environmentId'], id }
  })
  requireDistinctIds(named, 'Name each environment once.')
  const { orgId } = caller
  const environmentIds = changes.map(({ environmentId }) => environmentId)
  return commit(deps, caller, async (tx) => {
    const locked = await lockForWrite(deps, tx, { orgId, schemaId, environmentIds }, named)
    const { state } = locked
    const expected = changes.map((change) => ({ ...change, keys: keysOf(change) }))
    const conflicts = await findConflicts(tx, orgId, state, expected)
    if (!dryRun) requireNoConflict(conflicts)
    const turned = changes.map((change, index) => turn(state, change, index))
    const names = turned.flatMap(({ edit }) => segmentsOf(edit.rules))
    const context = await withSegments(tx, orgId, locked, names)
    const allowed = new Set(caller.isAgent ? [] : allowPlain)
    const checked = await checkChanges(context, turned, allowed)
    const { edits, problems } = caller.isAgent
      ? withoutSecrets(checked, findSecrets(context, changes))
      : checked
    if (problems.length > 0 && !dryRun) throw refuseViolations(problems.map(toError))
    const changed = await changeValues(deps, tx, caller, {
      ...context,
      edits,
      kind: 'write',
      action: 'value.set',
      comment: confirmation.comment,
      confirmation,
      dryRun,
    })
    const undo = await planUndo(tx, { orgId, schemaId }, changed.environments)
    return { ...changed, problems, conflicts, undo }
  })
}

/** Returns the violations of an assistant's change: it neither sets a secret nor removes one, so it can't probe for one either. */
function findSecrets(
  { state }: WriteContext,
  changes: readonly EnvironmentChange[],
): readonly CellProblem[] {
  const { definition } = state.schema
  return changes.flatMap(({ environmentId, set, unset }, index) => {
    const stored = getCurrentValues(state, environmentId).secretValues
    const isSecret = (key: string) =>
      definition.get(key)?.tier === 'secret' || Object.hasOwn(stored, key)
    const violation = (key: string, path: readonly string[]): CellProblem => ({
      environmentId,
      key,
      pointer: toJsonPointer(['changes', String(index), ...path]),
      code: 'person_required',
      detail:
        'An assistant does not set or remove a secret. Ask the person to do it in the dashboard.',
    })
    return [
      ...Object.keys(set).flatMap((key) => (isSecret(key) ? [violation(key, ['set', key])] : [])),
      ...unset.flatMap((key, at) => (isSecret(key) ? [violation(key, ['unset', String(at)])] : [])),
    ]
  })
}

/** Leaves out the environments with such a violation: what a dry run says about a secret would tell whether a guess is right. */
function withoutSecrets(
  { edits, problems }: CheckedChanges,
  violations: readonly CellProblem[],
): CheckedChanges {
  const refused = new Set(violations.map(({ environmentId }) => environmentId))
  return {
    edits: new Map([...edits].filter(([environmentId]) => !refused.has(environmentId))),
    problems: [...problems, ...violations],
  }
}

function keysOf({ set, rules, unset, turn: turns }: EnvironmentChange): ReadonlySet<string> {
  return new Set([...Object.keys(set), ...Object.keys(rules), ...unset, ...Object.keys(turns)])
}

/** Describes a change whose turned flags are values and rules, as the environment needs them. */
interface TurnedChange extends Pick<EnvironmentChange, 'environmentId'> {
  readonly path: readonly string[]
  readonly edit: Pick<EnvironmentChange, 'set' | 'rules' | 'unset'>
  readonly violations: readonly TurnViolation[]
}

function turn(state: ConfigState, change: EnvironmentChange, index: number): TurnedChange {
  const { environmentId } = change
  const current = getCurrentValues(state, environmentId)
  const path = ['changes', String(index)]
  const { definition } = state.schema
  return { environmentId, path, ...turnFlags({ definition, current, change, path }) }
}

interface CheckedChanges {
  /** The edits of the environments without a violation, by environment. */
  readonly edits: ReadonlyMap<string, ValueEdit>
  readonly problems: readonly CellProblem[]
}

async function checkChanges(
  { state, segments }: WriteContext,
  changes: readonly TurnedChange[],
  allowPlain: ReadonlySet<string>,
): Promise<CheckedChanges> {
  const { definition } = state.schema
  const edits = new Map<string, ValueEdit>()
  const problems: CellProblem[] = []
  const work = createCheckWork()
  for (const { environmentId, path, edit, violations } of changes) {
    const current = getCurrentValues(state, environmentId)
    const requested = { set: edit.set, rules: edit.rules, remove: edit.unset, allowPlain }
    const checked = await checkEdit({ definition, current, segments }, requested, {
      set: [...path, 'set'],
      rules: [...path, 'rules'],
      remove: [...path, 'unset'],
      work,
    })
    problems.push(...violations.map((violation) => ({ environmentId, ...violation })))
    if ('violations' in checked) {
      const keys = keysByPointer(path, edit)
      for (const violation of checked.violations) {
        // A violation may be of a part of a value, or of what a rule serves.
        const ofKey = violation.pointer.split('/', path.length + 3).join('/')
        problems.push({ environmentId, key: keys.get(ofKey) ?? '', ...violation })
      }
    } else if (violations.length === 0) edits.set(environmentId, checked.edit)
  }
  return { edits, problems }
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

function toError({ pointer, code, detail, key }: CellProblem): ProblemLocation {
  return { pointer, code, detail, ...(code === 'looks_like_secret' && { key }) }
}
