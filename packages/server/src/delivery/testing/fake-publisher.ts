import { createHash } from 'node:crypto'
import {
  Problem,
  type ConfigValue,
  type FlagRules,
  type Targeting,
  type ValueSource,
} from '@signalbox/contract'
import { renderServerSnapshot, sealedSignatureAddress } from '../../config-model/snapshot.ts'
import { wrapDataKey, newDataKey } from '../../crypto/data-keys.ts'
import { createPublisherKey, signSnapshot } from '../../crypto/publisher-key.ts'
import type { RootKey } from '../../crypto/root-key.ts'
import { seal } from '../../crypto/seal.ts'
import type { Statement, Store } from '../../store/store.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import { secretsContext, type ServerRow } from '../server/server-item.ts'

/** A snapshot to publish. Versions count by themselves unless given. */
export interface PublishedValues {
  readonly orgId: string
  readonly schemaId: string
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  readonly public?: Readonly<Record<string, ConfigValue>>
  readonly featureFlags?: Readonly<Record<string, boolean>>
  readonly flagSources?: Readonly<Record<string, ValueSource>>
  readonly flagRules?: FlagRules
  /** Default: every flag has changed in the first version. */
  readonly flagVersions?: Readonly<Record<string, number>>
  readonly targeting?: Readonly<Record<string, Targeting>>
  readonly secret?: Readonly<Record<string, ConfigValue>>
  readonly variables?: Readonly<Record<string, string>>
}

type Gone = Pick<BrowserRow, 'orgId' | 'schemaId' | 'environmentId' | 'version'> & {
  readonly etag: string
  readonly body: null
  readonly ended: string | null
  readonly environment: string
}

interface Recorded<Row> {
  readonly row: Row | Gone
  readonly changedIn: number
}

/**
 * The published tables without a database: answers the statements of `rows.ts` from memory, so that a test about HTTP
 * says what is published in one line. What PostgreSQL makes of the statements is tested in `feed.test.ts`.
 */
export function createFakePublisher(rootKey: RootKey) {
  const browser: Recorded<BrowserRow>[] = []
  const server: Recorded<ServerRow>[] = []
  const publisherKey = createPublisherKey(Buffer.alloc(32, 7))
  const dataKeys = new Map<string, ReturnType<typeof newDataKey>>()
  const listeners = new Set<Parameters<Store['onAnnounce']>[1]>()
  let transaction = 100
  let away = false
  const statements: string[] = []

  const versionAfter = (rows: readonly Recorded<BrowserRow | ServerRow>[], snapshot: SnapshotIds) =>
    Math.max(0, ...rows.filter(({ row }) => isOf(row, snapshot)).map(({ row }) => row.version)) + 1
  const answer = (statement: Statement): unknown[] => {
    statements.push(statement.name)
    if (away) throw new Problem('db_unavailable', 'The database is away.')
    const since = statement.name === 'delivery-changes' ? Number(statement.values[0]) : 0
    switch (statement.name) {
      case 'delivery-everything':
      case 'delivery-changes':
        return [
          {
            xmin: String(transaction + 1),
            browser: versionsOf(browser, since),
            server: versionsOf(server, since),
            dataKeys: [...dataKeys.values()].map((key) => [
              key.orgId,
              key.version,
              wrapDataKey(rootKey, key).toString('base64'),
            ]),
            publicKeys: [publisherKey.publicKey],
          },
        ]
      case 'delivery-browser-rows':
        return pickRows(browser, statement.values)
      case 'delivery-server-rows':
        return pickRows(server, statement.values)
      default:
        throw new Error(`No such statement: ${statement.name}`)
    }
  }
  const store: Pick<Store, 'delivery' | 'onAnnounce'> = {
    delivery: {
      query: async <R extends object>(statement: Statement) => answer(statement) as R[],
    },
    onAnnounce(_, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const announce = () => {
    for (const listener of listeners) listener('committed')
  }
  const keyOf = (orgId: string) => {
    const key = dataKeys.get(orgId) ?? newDataKey(orgId, 1)
    dataKeys.set(orgId, key)
    return key
  }
  const sign = (audience: 'browser' | 'server', of: SnapshotIds, version: number, body: string) =>
    signSnapshot(
      [publisherKey],
      { audience, ...of, epoch: 1, version, publishedAtMs: 1_764_158_817_123 },
      body,
    )
  return {
    store,
    publisherKey,
    asked: statements,
    announce,
    setAway(value: boolean) {
      away = value
    },
    publishBrowser(values: PublishedValues): BrowserRow {
      const { public: open = {}, featureFlags = {}, flagSources = {}, secret: _, ...rest } = values
      const { flagRules = {}, targeting = {}, flagVersions, ...names } = rest
      const version = versionAfter(browser, values)
      const content = { format: 1, ...names, version, public: open, featureFlags }
      const body = JSON.stringify(content)
      const texts = Object.entries({ ...flagRules, ...targeting }).map(([key, rules]) => [
        key,
        JSON.stringify(rules),
      ])
      const row = {
        ...names,
        version,
        etag: etagOf(body),
        body,
        flagSources,
        flagRules: Object.fromEntries(texts),
        flagVersions: flagVersions ?? inFirstVersion({ ...flagSources, ...featureFlags }),
        signature: sign('browser', values, version, body),
      }
      browser.push({ row, changedIn: (transaction += 1) })
      return row
    },
    publishServer(values: PublishedValues): ServerRow {
      const { public: open = {}, featureFlags = {}, flagSources: _, secret = {}, ...rest } = values
      const { flagRules, targeting, flagVersions: _versions, ...names } = rest
      const version = versionAfter(server, values)
      const ruled = { flagRules, targeting }
      const content = { format: 1, ...names, version, public: open, featureFlags, ...ruled }
      const body = JSON.stringify(content)
      const secretText = JSON.stringify(secret)
      const bare = { ...names, version, etag: etagOf(body + secretText), body }
      const context = secretsContext(bare)
      const signature = sign('server', values, version, renderServerSnapshot(body, secretText))
      const key = keyOf(values.orgId)
      const row = {
        ...bare,
        sealedSecrets: seal(key, context, secretText),
        sealedSignature: seal(key, sealedSignatureAddress(bare), signature),
      }
      server.push({ row, changedIn: (transaction += 1) })
      return row
    },
    /** Withdraws a snapshot; `ended` says why, else it was deleted. */
    remove(snapshot: SnapshotIds, ended: string | null = null) {
      for (const rows of [browser, server]) {
        const version = versionAfter(rows, snapshot)
        const remaining = rows.filter(({ row }) => !isOf(row, snapshot))
        const { orgId, schemaId, environmentId } = snapshot
        const row = {
          ...({ orgId, schemaId, environmentId, version, etag: '', body: null, ended } as const),
          environment: rows.find((each) => isOf(each.row, snapshot))?.row.environment ?? '',
        }
        rows.splice(0, rows.length, ...(remaining as never[]), {
          row,
          changedIn: (transaction += 1),
        } as never)
      }
    },
    /** Versions before `oldest` are deleted, as when they show what became a secret. */
    forgetBefore(snapshot: SnapshotIds, oldest: number) {
      for (const rows of [browser, server]) {
        const remaining = rows.filter(({ row }) => !isOf(row, snapshot) || row.version >= oldest)
        rows.splice(0, rows.length, ...(remaining as never[]))
      }
    },
    /** Another database stands where this one was. */
    beginAgain() {
      browser.length = 0
      server.length = 0
      transaction = 10
    },
  }
}

export type FakePublisher = ReturnType<typeof createFakePublisher>
type SnapshotIds = Pick<PublishedValues, 'orgId' | 'schemaId' | 'environmentId'>

function inFirstVersion(flags: object): Record<string, number> {
  return Object.fromEntries(Object.keys(flags).map((flag) => [flag, 1]))
}

function etagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function isOf(row: SnapshotIds, snapshot: SnapshotIds): boolean {
  return row.schemaId === snapshot.schemaId && row.environmentId === snapshot.environmentId
}

function versionsOf(rows: readonly Recorded<BrowserRow | ServerRow>[], since: number) {
  const latest = new Map<string, Recorded<BrowserRow | ServerRow>>()
  for (const each of rows) latest.set(`${each.row.schemaId}/${each.row.environmentId}`, each)
  return (since === 0 ? [...latest.values()] : rows)
    .filter(({ changedIn }) => changedIn >= since)
    .map(({ row }) => [
      row.orgId,
      row.schemaId,
      row.environmentId,
      row.version,
      row.etag,
      row.body === null,
      Math.min(...rows.filter((each) => isOf(each.row, row)).map((each) => each.row.version)),
      'ended' in row ? row.ended : null,
      'ended' in row && row.ended !== null ? row.environment : null,
    ])
}

function pickRows(
  rows: readonly Recorded<BrowserRow | ServerRow>[],
  [, schemaIds, environmentIds, versions]: readonly unknown[],
): unknown[] {
  const wanted = new Set(
    (schemaIds as string[]).map(
      (schemaId, index) =>
        `${schemaId}/${(environmentIds as string[])[index]}/${(versions as number[])[index]}`,
    ),
  )
  return rows
    .map(({ row }) => row)
    .filter((row) => wanted.has(`${row.schemaId}/${row.environmentId}/${row.version}`))
    .filter((row) => row.body !== null)
}
