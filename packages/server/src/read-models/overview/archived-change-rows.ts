import type { Tier } from '@signalbox/contract'
import type { ChangeKind } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import {
  clause,
  commonClauses,
  moment,
  repositoryClauses,
  select,
  textClause,
  type Clause,
  type ListChangeRows,
} from './change-filter.ts'
import type { DeploymentChange, TestRunChange, VersionChange } from './change-rows.ts'

type KeyChange = VersionChange['changes'][number]

/**
 * Describes what the archive stores of a changed key: of a flag its values and rules, of any other key none. Nobody could take a value
 * out of the archive whose key becomes a secret later.
 */
export type StoredKeyChange =
  | (KeyChange & { readonly tier: 'featureFlags' })
  | (Pick<KeyChange, 'key' | 'change' | 'segments'> & {
      readonly tier: Exclude<Tier, 'featureFlags'>
      readonly before?: never
      readonly after?: never
    })

type Column = 'kind' | 'id' | 'at' | 'micros' | 'environmentId' | 'archivedAt'

/** Describes what the archive stores of a change beside its columns. Nothing that is archived can be taken back. */
export interface StoredChanges {
  readonly deployment: Omit<DeploymentChange, Column | 'previousId' | 'previousSha'>
  readonly testRun: Omit<TestRunChange, Column>
  readonly version: Omit<VersionChange, Column | 'previous' | 'changes'> & {
    readonly changes: readonly StoredKeyChange[]
  }
}

/** Names the fields that every stored change has. Fields that later releases add are in `addedSince`. */
interface FirstFields {
  readonly deployment:
    | 'repositoryId'
    | 'target'
    | 'state'
    | 'message'
    | 'creator'
    | 'issueKeys'
    | 'proof'
    | 'testRuns'
  readonly testRun: 'repositoryId' | 'name' | 'proof' | 'target'
  readonly version:
    | 'versionKind'
    | 'schemaId'
    | 'schema'
    | 'version'
    | 'author'
    | 'comment'
    | 'changes'
    | 'changesTotal'
    | 'isFlip'
}

/** Holds what a change that was stored before a field existed has in it. A new field does not compile without it. */
const addedSince: {
  readonly [Kind in keyof StoredChanges]: Omit<StoredChanges[Kind], FirstFields[Kind]>
} = { deployment: {}, testRun: {}, version: {} }

type FirstStored<Kind extends keyof StoredChanges> = Pick<
  StoredChanges[Kind],
  FirstFields[Kind] & keyof StoredChanges[Kind]
>

interface ArchivedChangeRow {
  readonly id: string
  readonly at: Date
  readonly micros: number
  readonly environmentId: string | null
  readonly archivedAt: Date
  readonly deployment: FirstStored<'deployment'> | null
  readonly testRun: FirstStored<'testRun'> | null
  readonly version: FirstStored<'version'> | null
}

/** Describes which archived changes are listed. */
export interface ListArchivedRows extends ListChangeRows {
  /** `undefined`: every kind. */
  readonly kinds: readonly ChangeKind[] | undefined
  /** Leaves out the test runs of deployments. */
  readonly isFolded: boolean
}

/**
 * Selects by kind. Versions are of two kinds, by what they changed, and are found by an index of their own where nothing else is
 * asked for.
 */
function kindClauses({ kinds, key, isFolded }: ListArchivedRows): Clause[] {
  const rows = kinds?.map((kind) =>
    kind === 'flag_flip' || kind === 'config_version' ? 'version' : kind,
  )
  const isFlip = kinds?.flatMap((kind) =>
    kind === 'flag_flip' ? [true] : kind === 'config_version' ? [false] : [],
  )
  return [
    ...clause('kinds', rows, (p) => `a.kind = any (${p}::text[])`),
    ...clause('flips', isFlip, (p) => `(a.kind <> 'version' or a.is_flip = any (${p}::boolean[]))`),
    ...clause('key', key, (p) => `a.kind = 'version' and ${p}::text = any (a.changed_keys)`),
    ...clause(
      'folded',
      isFolded || undefined,
      (p) => `(a.kind <> 'test_run' or (a.deployment_id is null) = ${p}::boolean)`,
    ),
  ]
}

/** Lists archived changes, newest first. An environment that is gone is not named. */
export async function listArchivedChanges(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  of: ListArchivedRows,
): Promise<(DeploymentChange | TestRunChange | VersionChange)[]> {
  const { name, where, values } = select('archived', orgId, of, [
    ...commonClauses(of, 'a', 'at'),
    ...repositoryClauses(of, 'a'),
    ...clause('author', of.author, (p) => `a.author_name = ${p}`),
    ...kindClauses(of),
    ...textClause(of.text, { table: 'archive', alias: 'a', columns: 'a.texts', at: 'at' }),
  ])
  const rows = await tx.query<ArchivedChangeRow>({
    name,
    text: `select a.id, a.at, (extract(epoch from a.at) * 1000000)::bigint as micros, a.archived_at as "archivedAt",
        (select e.id from environments e where e.org_id = $1 and e.id = a.environment_id) as "environmentId",
        case a.kind when 'deployment' then a.change end as deployment,
        case a.kind when 'test_run' then a.change end as "testRun",
        case a.kind when 'version' then a.change end as version
      from archive a where a.org_id = $1 and (a.at, a.id) < (${moment}, $3) ${where}
      order by a.at desc, a.id desc limit $4`,
    values,
  })
  return rows.flatMap(readArchivedChange)
}

/** Completes a stored change to one of today. */
export function readArchivedChange({
  deployment,
  testRun,
  version,
  ...columns
}: ArchivedChangeRow): (DeploymentChange | TestRunChange | VersionChange)[] {
  if (deployment !== null) {
    const gone = { previousId: null, previousSha: null }
    const change = { ...addedSince.deployment, ...deployment, ...gone, ...columns }
    return [{ ...change, kind: 'deployment' }]
  }
  if (testRun !== null) return [{ ...addedSince.testRun, ...testRun, ...columns, kind: 'test_run' }]
  if (version === null) return []
  const change = { ...addedSince.version, ...version, previous: null, ...columns }
  return [{ ...change, kind: 'version' }]
}
