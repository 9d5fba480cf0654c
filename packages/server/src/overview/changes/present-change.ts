import { describeFlagMove, hasRuledKey, toShortText, type ConfigValue } from '@signalbox/contract'
import type { Change } from '@signalbox/contract/rest'
import { readRules } from '../../config-model/constraints/check-rules.ts'
import { findKeysOfAny } from '../../providers/issue-keys/issue-grammars.ts'
import type {
  DeploymentChange,
  ProofOfChange,
  TestRunChange,
  VersionChange,
} from '../../read-models/overview/change-rows.ts'
import type {
  RequestChange,
  RequestOfChange,
} from '../../read-models/overview/request-change-rows.ts'
import type { AnyChange } from './list-changes.ts'
import { firstLine } from '../present-overview.ts'

/** Presents a change as the API shows it. */
export function presentChange(change: AnyChange): Change {
  switch (change.kind) {
    case 'deployment':
      return presentDeployment(change)
    case 'test_run':
      return presentTestRun(change)
    case 'version':
      return presentVersion(change)
    case 'request':
      return presentRequest(change)
    default:
      return change satisfies never
  }
}

function commonOf({ id, at, environmentId }: AnyChange) {
  return { id, at: at.toISOString(), environmentId }
}

function presentDeployment(change: DeploymentChange): Change {
  const { target, state, message, creator, issueKeys, proof, previousId, previousSha } = change
  return {
    ...commonOf(change),
    kind: 'deployment',
    title: firstLine(message) ?? `Commit ${target.sha.slice(0, 7)}`,
    state,
    // A person at the code host, who need not be a member.
    author: creator && { type: 'user', id: null, name: creator.name },
    reason: { issueKeys: [...issueKeys], comment: null },
    proof,
    wayBack:
      previousId === null || previousSha === null
        ? null
        : { kind: 'redeploy', deploymentId: previousId, sha: previousSha },
    testRuns: change.testRuns,
    deployment: target,
    configuration: null,
    request: null,
  }
}

function presentTestRun(change: TestRunChange): Change {
  return {
    ...commonOf(change),
    kind: 'test_run',
    title: change.name,
    state: change.proof.state,
    author: null,
    reason: { issueKeys: [], comment: null },
    proof: change.proof,
    wayBack: null,
    testRuns: null,
    deployment: change.target,
    configuration: null,
    request: null,
  }
}

const kinds: Readonly<Record<string, string>> = {
  write: 'Values written',
  restore: 'Earlier version restored',
  promote: 'Values promoted from another environment',
  schema: 'Schema changed',
  inherited: 'Inherited values changed',
  renamed: 'Renamed',
}

function presentVersion(change: VersionChange): Change {
  const { schemaId, schema, version, author, comment, versionKind } = change
  return {
    ...commonOf(change),
    kind: change.isFlip ? 'flag_flip' : 'config_version',
    title: titleOf(change),
    state: versionKind,
    author,
    reason: { issueKeys: issueKeysOf(comment), comment },
    proof: null,
    wayBack: wayBackOf(change),
    testRuns: null,
    deployment: null,
    configuration: {
      schemaId,
      schema,
      version,
      total: change.changesTotal,
      changes: change.changes.map(presentKey),
      proof: change.proof && presentProof(change.proof),
    },
    request: change.request && presentRequestOf(change.request),
  }
}

type ShownProof = NonNullable<NonNullable<Change['configuration']>['proof']>

function presentProof({ until, restoredVersions, ...proof }: ProofOfChange): ShownProof {
  return {
    ...proof,
    until: new Date(until).toISOString(),
    restoredVersions: restoredVersions.map(({ environmentId, versionId, version }) => ({
      environmentId,
      versionId,
      version,
    })),
  }
}

function presentRequest(change: RequestChange): Change {
  const { author, reason } = change
  const request = presentRequestOf(change.request)
  return {
    ...commonOf(change),
    kind: 'change_request',
    title: request.title,
    state: request.state,
    author: { type: author.type, id: author.id, name: author.name },
    reason: {
      issueKeys: issueKeysOf(`${request.title} ${reason}`),
      comment: reason === '' ? null : reason,
    },
    proof: null,
    wayBack: null,
    testRuns: null,
    deployment: null,
    configuration: null,
    request,
  }
}

function presentRequestOf({ state, ...request }: RequestOfChange): NonNullable<Change['request']> {
  return {
    ...request,
    state: state === 'waiting' ? 'open' : state,
    environmentIds: [...request.environmentIds],
    approvedBy: [...request.approvedBy],
  }
}

/** Returns the keys that a comment names. It is of no repository. */
function issueKeysOf(comment: string | null): string[] {
  const where = { source: 'api', repository: null, tracked: null } as const
  return [...new Set(findKeysOfAny(comment ?? '', where).map(({ key }) => key))]
}

/**
 * Returns the version to restore. A change of a segment is taken back at the segment: the values stayed the same. A request that made
 * several versions has none that takes all of it back.
 */
function wayBackOf({ versionKind, previous, request }: VersionChange): Change['wayBack'] {
  if (previous === null || versionKind === 'segment') return null
  if (request !== null && request.versions > 1) return null
  return { kind: 'restore', ...previous }
}

type ShownChange = NonNullable<Change['configuration']>['changes'][number]
type ChangedKey = VersionChange['changes'][number]

function describeFlag({ rulesBefore, rulesAfter, ...flag }: ChangedKey): string {
  return describeFlagMove({
    ...flag,
    rulesBefore: rulesBefore === undefined ? [] : readRules(rulesBefore),
    rulesAfter: rulesAfter === undefined ? [] : readRules(rulesAfter),
  })
}

/** Presents the change of a key. A secret has no value in its row, and would show none. */
function presentKey(changed: ChangedKey): ShownChange {
  const { key, tier, change, before, after, rulesBefore, rulesAfter, segments } = changed
  const { sourceBefore, sourceAfter } = changed
  const withoutValues = {
    key,
    tier,
    change,
    ...(sourceBefore !== undefined && { sourceBefore }),
    ...(sourceAfter !== undefined && { sourceAfter }),
  }
  if (tier === 'secret') return withoutValues
  return {
    ...withoutValues,
    ...(before !== undefined && { before: cut(before) }),
    ...(after !== undefined && { after: cut(after) }),
    ...(rulesBefore !== undefined && { rulesBefore: readRules(rulesBefore) }),
    ...(rulesAfter !== undefined && { rulesAfter: readRules(rulesAfter) }),
    ...(segments !== undefined && { segments: [...segments] }),
    ...(hasRuledKey(changed) && {
      text: describeFlag(changed),
    }),
  }
}

const charactersShown = 200

function cut(value: ConfigValue): ConfigValue {
  const text = toShortText(value, charactersShown)
  return text.endsWith('…') ? text : value
}

function titleOf(change: VersionChange): string {
  const { changes, changesTotal, versionKind, schema, isFlip } = change
  const [only] = changes
  if (isFlip && changesTotal === 1 && only !== undefined) {
    return `${only.key}: ${describeFlag(only)}`
  }
  if (versionKind === 'segment') return nameSegments(changes)
  return `${kinds[versionKind] ?? versionKind} in ${schema}`
}

/** Returns the title of a version that a segment made. Example: `Segment staff changed`. */
function nameSegments(changes: VersionChange['changes']): string {
  const names = [...new Set(changes.flatMap(({ segments = [] }) => segments))]
  return `Segment ${names.join(', ')} changed`
}
