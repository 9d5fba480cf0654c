import { describeFlagChange } from '@signalbox/contract'
import type { Change } from '@signalbox/contract/rest'
import { readRules } from '../configs/constraints/check-values.ts'
import { issueKeyPattern } from '../deployments/issues/issue-keys.ts'
import type {
  DeploymentChange,
  TestRunChange,
  VersionChange,
} from '../read-models/overview/change-rows.ts'
import type { AnyChange } from './list-changes.ts'
import { firstLine } from './present-overview.ts'

/** Presents a change as the API shows it. */
export function presentChange(change: AnyChange): Change {
  switch (change.kind) {
    case 'deployment':
      return presentDeployment(change)
    case 'test_run':
      return presentTestRun(change)
    case 'version':
      return presentVersion(change)
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
    title: firstLine(message) ?? `${target.sha.slice(0, 7)} of ${target.ref}`,
    state,
    // A person at the code host, who need not be a member.
    author: creator && { type: 'user', id: null, name: creator.name },
    reason: { issueKeys: [...issueKeys], comment: null },
    proof,
    wayBack:
      previousId === null || previousSha === null
        ? null
        : { kind: 'redeploy', deploymentId: previousId, sha: previousSha },
    deployment: target,
    configuration: null,
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
    deployment: change.target,
    configuration: null,
  }
}

const kinds: Readonly<Record<string, string>> = {
  write: 'Values written',
  restore: 'An earlier version restored',
  promote: 'Values taken over from another environment',
  schema: 'The schema changed',
  inherited: 'Inherited values changed',
  renamed: 'Renamed',
}

function presentVersion(change: VersionChange): Change {
  const { schemaId, schema, version, author, comment, versionKind, previousVersionId } = change
  return {
    ...commonOf(change),
    kind: isFlip(change) ? 'flag_flip' : 'config_version',
    title: titleOf(change),
    state: versionKind,
    author,
    reason: { issueKeys: [...new Set(comment?.match(issueKeyPattern))], comment },
    proof: null,
    wayBack: previousVersionId === null ? null : { kind: 'restore', versionId: previousVersionId },
    deployment: null,
    configuration: {
      schemaId,
      schema,
      version,
      total: change.changesTotal,
      changes: change.changes.map(presentKey),
    },
  }
}

type ChangedKey = VersionChange['changes'][number]

/** Presents the change of a key. Only of a flag it says more than the name. */
function presentKey(changed: ChangedKey) {
  const { key, tier, change, before, after } = changed
  if (tier !== 'featureFlags') return { key, tier, change }
  return {
    key,
    tier,
    change,
    ...(typeof before === 'boolean' && { before }),
    ...(typeof after === 'boolean' && { after }),
    text: describeFlag(changed),
  }
}

function describeFlag({ rulesBefore, rulesAfter, ...flag }: ChangedKey): string {
  return describeFlagChange({
    ...flag,
    rulesBefore: rulesBefore === undefined ? [] : readRules(rulesBefore),
    rulesAfter: rulesAfter === undefined ? [] : readRules(rulesAfter),
  })
}

const flips: ReadonlySet<string> = new Set(['write', 'restore', 'promote', 'inherited'])

/** Returns whether a version sets flags and nothing else. A flag that a schema adds does not count. */
function isFlip({ isFlags, versionKind }: VersionChange): boolean {
  return isFlags && flips.has(versionKind)
}

function titleOf(change: VersionChange): string {
  const { changes, changesTotal, versionKind, schema } = change
  const [only] = changes
  if (isFlip(change) && changesTotal === 1 && only !== undefined) {
    return `${only.key}: ${describeFlag(only)}`
  }
  return `${kinds[versionKind] ?? versionKind} in ${schema}`
}
