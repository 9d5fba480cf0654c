import type { ProblemLocation } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import { describeUnknown, requireDistinctIds, requireKnownIds } from '../../http/input/known-ids.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { Caller } from '../../config-model/caller.ts'
import { recordConfigEvent } from '../config-deps.ts'
import { checkEdit } from '../../config-model/constraints/check-values.ts'
import { createCheckWork } from '../../config-model/constraints/check-work.ts'
import type { Publication } from '../../config-model/plan-publication.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import { noSegments } from '../../config-model/known-segments.ts'
import {
  getCurrentValues,
  type CurrentValuesByEnvironment,
} from '../../config-model/current-values.ts'
import { editValues } from '../../config-model/edit-values.ts'
import { sealSecrets } from '../../config-model/sealed-secrets.ts'
import type { Definition } from '../../config-model/definition.ts'
import type { SchemaRow } from './schema-rows.ts'

/** Describes the values that a request sets and removes in one environment together with the definition. */
export interface SentValues {
  readonly environmentId: string
  readonly set: Readonly<Record<string, unknown>>
  /** Lists keys whose own value is removed. */
  readonly unset?: readonly string[] | undefined
}

interface SetContext {
  readonly orgId: string
  readonly schemaId: string
  /** The new definition, by which the values are checked. */
  readonly definition: Definition
  readonly sealer: Sealer
  readonly author: Author
  readonly now: Date
  readonly allowPlain: ReadonlySet<string>
}

/**
 * Returns the current values after what the request sets and removes. Environments that stay the same keep the same object.
 *
 * @throws {Problem} with a pointer to each violation `validation_failed`, also for environments that are absent or named twice, and
 * the codes of values
 */
export async function setSentValues(
  context: SetContext,
  currentValues: CurrentValuesByEnvironment,
  sent: readonly SentValues[],
): Promise<CurrentValuesByEnvironment> {
  const edited = new Map(currentValues)
  const violations: ProblemLocation[] = []
  const work = createCheckWork()
  const named = sent.map(({ environmentId: id }, at) => ({
    path: ['values', at, 'environmentId'],
    id,
  }))
  requireKnownIds({ named, known: currentValues, detail: describeUnknown('environment') })
  requireDistinctIds(named, 'Name each environment once.')
  for (const [index, { environmentId, set, unset = [] }] of sent.entries()) {
    const current = getCurrentValues({ currentValues }, environmentId)
    const path = ['values', String(index)]
    const requested = { set, rules: {}, remove: unset, allowPlain: context.allowPlain }
    const at = [...path, 'set']
    const source = { set: at, rules: at, remove: [...path, 'unset'], work }
    const target = { ...context, current, segments: noSegments }
    const checked = await checkEdit(target, requested, source)
    if ('violations' in checked) violations.push(...checked.violations)
    else {
      const sealed = sealSecrets({ ...context, isCompared: true }, current, checked.edit.set)
      edited.set(environmentId, editValues({ ...context, sealed }, current, checked.edit))
    }
  }
  if (violations.length > 0) throw refuseViolations(violations)
  return edited
}

interface StoredValues {
  readonly row: Pick<SchemaRow, 'id' | 'name'>
  readonly publication: Pick<Publication, 'versions'>
  readonly values: readonly SentValues[]
  /** Lists the keys that may have the form of a credential. */
  readonly plain: readonly string[]
}

/** Records the write of values in each environment, as a write of values alone does. */
export function recordSentValues(
  tx: Tx,
  caller: Caller,
  { row: { id, name }, publication: { versions }, values, plain }: StoredValues,
): void {
  for (const { environmentId } of values) {
    const stored = versions.find((version) => version.environmentId === environmentId)
    if (stored === undefined) continue
    recordConfigEvent(tx, caller, {
      action: 'value.set',
      target: { type: 'config_values', id, name },
      detail: {
        environmentId,
        version: stored.version,
        keys: stored.changes.map(({ key }) => key),
        ...(plain.length > 0 && { allowPlain: plain }),
      },
    })
  }
}
