import type { Segments } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { fromStoredDefinition } from '../../config-model/definition.ts'
import type { EnvironmentTree } from '../../config-model/environment-tree.ts'
import type { CurrentValuesBySchema } from '../values/current-rows.ts'
import {
  joinPublications,
  planPublication,
  type PlanPublication,
  type Publication,
} from '../../config-model/plan-publication.ts'
import { publish, type Publish } from './publish-rows.ts'
import { readSegments } from '../segments/read-known-segments.ts'
import { namesOf } from '../../config-model/segment-texts.ts'
import type { PublishableState, SchemaState } from '../../config-model/resolve-values.ts'
import type { SchemaRow } from '../schemas/schema-rows.ts'

/** Holds all schemas of an organization with the current values of some of its environments. */
export interface Structure {
  readonly schemas: readonly SchemaState[]
  readonly tree: EnvironmentTree
  readonly currentValues: CurrentValuesBySchema
}

/** Returns the state of a stored schema, with its definition as a map. */
export function toSchemaState(row: SchemaRow): SchemaState {
  const { id, name, revision, definition, secretDefaults } = row
  return { id, name, revision, definition: fromStoredDefinition(definition), secretDefaults }
}

interface PlanRepublication extends Pick<
  PlanPublication,
  'environmentIds' | 'kinds' | 'otherwise' | 'comment'
> {
  readonly before: Structure
  readonly after: Structure
  /** The segments before and after a change of one. Left out: as they are stored. */
  readonly segments?: { readonly before: Segments; readonly after: Segments }
}

type Republish = Omit<PlanRepublication, 'comment'> & Omit<Publish, 'publication'>

/**
 * Publishes what a change of schemas or environments changed. Writes to every row of current values that it is given,
 * changed or not: a write of values that waits for one of them then reads the structure again.
 *
 * @throws {Problem} `value_too_large`, `confirmation_required`, `comment_required`
 */
export async function republish(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  change: Republish,
): Promise<void> {
  const { orgId } = caller
  const { comment } = change.confirmation
  const publication = await planRepublication(deps, tx, caller, { ...change, comment })
  await publish(deps, tx, orgId, { ...change, publication })
}

/** Plans what `republish` stores, and stores nothing. */
export async function planRepublication(
  { keys, publisherKeys, now }: ConfigDeps,
  tx: Tx,
  { orgId, author }: Caller,
  { before, after, ...plan }: PlanRepublication,
): Promise<Publication> {
  if (after.schemas.length === 0) return joinPublications([])
  const sealer = await keys.getSealer(tx, orgId)
  const segments = plan.segments ?? (await readBoth(tx, orgId, after))
  const moment = now()
  const parts = after.schemas.map((schema) =>
    planPublication({
      orgId,
      before: {
        ...stateOf(before, before.schemas.find(({ id }) => id === schema.id) ?? schema),
        segments: segments.before,
      },
      after: { ...stateOf(after, schema), segments: segments.after },
      ...plan,
      sealer,
      signer: publisherKeys.signer(),
      author,
      now: moment,
    }),
  )
  return joinPublications(parts)
}

/** Reads the segments that the values refer to, which stay as they are. */
async function readBoth(
  tx: Tx,
  orgId: string,
  { currentValues }: Structure,
): Promise<{ readonly before: Segments; readonly after: Segments }> {
  const all = [...currentValues.values()].flatMap((group) => [...group.values()])
  const { groups } = await readSegments(tx, orgId, namesOf(all))
  return { before: groups, after: groups }
}

function stateOf(
  { tree, currentValues }: Structure,
  schema: SchemaState,
): Omit<PublishableState, 'segments'> {
  return { schema, tree, currentValues: currentValues.get(schema.id) ?? new Map() }
}
