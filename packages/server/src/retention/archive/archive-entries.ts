import type { ArchivedPage } from '../../read-models/deployments/archived-page.ts'
import type {
  StoredChanges,
  StoredKeyChange,
} from '../../read-models/overview/archived-change-rows.ts'
import type {
  DeploymentChange,
  TestRunChange,
  VersionChangeWithKeys,
} from '../../read-models/overview/change-rows.ts'
import type { ArchiveEntry } from './archive-rows.ts'

const none = {
  repositoryId: null,
  hostEnvironment: null,
  deploymentId: null,
  authorName: null,
  schemaId: null,
  changedKeys: null,
  isFlip: null,
  page: null,
}

/** Returns the entry of a deployment with its page. */
export function entryOfDeployment(change: DeploymentChange, page: ArchivedPage): ArchiveEntry {
  const { kind, id, micros, environmentId, ...rest } = change
  const { at: _at, archivedAt: _no, previousId: _id, previousSha: _sha, ...content } = rest
  const { repositoryId, message, target, creator } = content
  return {
    ...none,
    kind,
    id,
    micros,
    environmentId,
    repositoryId,
    page,
    hostEnvironment: page.hostEnvironment,
    authorName: nameOf(creator),
    texts: textsOf([message, target.sha, target.ref, target.repository]),
    change: content satisfies StoredChanges['deployment'],
  }
}

export function entryOfTestRun(change: TestRunChange): ArchiveEntry {
  const { kind, id, micros, environmentId, at: _at, archivedAt: _no, ...content } = change
  const { repositoryId, target, name } = content
  return {
    ...none,
    kind,
    id,
    micros,
    environmentId,
    repositoryId,
    deploymentId: target?.id ?? null,
    texts: textsOf([name]),
    change: content satisfies StoredChanges['testRun'],
  }
}

/** Returns the entry of a version, without the values of keys that are no flags. */
export function entryOfVersion(change: VersionChangeWithKeys): ArchiveEntry {
  const { kind, id, micros, environmentId, at: _at, archivedAt: _no, ...rest } = change
  const { changedKeys, ...content } = rest
  const { author, comment, schema, schemaId, isFlip } = content
  const changes = content.changes.map(toStored)
  return {
    ...none,
    kind,
    id,
    micros,
    environmentId,
    schemaId,
    isFlip,
    changedKeys,
    authorName: nameOf(author),
    texts: textsOf([comment, schema, ...changedKeys]),
    change: { ...content, changes } satisfies StoredChanges['version'],
  }
}

function toStored(keyChange: VersionChangeWithKeys['changes'][number]): StoredKeyChange {
  const { key, tier, change, segments } = keyChange
  if (tier === 'featureFlags') return { ...keyChange, tier }
  return { key, tier, change, ...(segments !== undefined && { segments }) }
}

/** Returns a name as a filter compares it. PostgreSQL takes no text with NUL: such a name names nobody. */
function nameOf(author: { readonly name: string | null } | null): string | null {
  const name = author?.name ?? null
  return name === null || name.includes('\0') ? null : name.toLowerCase()
}

function textsOf(texts: readonly (string | null)[]): string {
  const known = texts.filter((text) => text !== null)
  return known.join(' ').replaceAll('\0', ' ').toLowerCase()
}
