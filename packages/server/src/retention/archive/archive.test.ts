import type { Change } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildKey } from '../../configs/testing/open-config-app.ts'
import { listChanges } from '../../overview/list-changes.ts'
import { openArchiveApp, type ArchiveApp } from './testing/open-archive-app.ts'

const dayMs = 86_400_000
let app: ArchiveApp
let pageBefore: Record<string, unknown>
let timelinesBefore: Map<string, Change[]>

const count = async (table: string) => (await app.test.asOwner(`select from ${table}`)).length

/** Lists filters that each find something archived and something else, or nothing archived. */
const filters = () => [
  '',
  '&foldTests=true',
  `&environmentId=${app.production}`,
  '&kinds=deployment',
  '&kinds=test_run&foldTests=true',
  '&kinds=flag_flip',
  '&kinds=config_version,deployment',
  '&repository=acme/shop',
  '&author=the%20octocat',
  '&author=developer',
  '&key=beta',
  '&text=round%20100',
  '&text=pay-225',
  `&from=${app.ago(99).toISOString()}&before=${app.ago(4).toISOString()}`,
]

/** Returns changes without what is different in the archive, which keeps values of flags alone. */
const comparable = (changes: readonly Change[]) =>
  changes.map(({ archivedAt: _at, wayBack: _way, configuration, ...change }) => ({
    ...change,
    configuration: configuration && {
      ...configuration,
      changes: configuration.changes.map((changed) =>
        changed.tier === 'featureFlags'
          ? changed
          : { key: changed.key, tier: changed.tier, change: changed.change },
      ),
    },
  }))

beforeAll(async () => {
  app = await openArchiveApp()
})
afterAll(() => app.close())

describe('what is deleted', () => {
  it('stays where it was when it cannot be archived, in one transaction', async () => {
    const before = await app.timeline()
    const store: typeof app.test.store = {
      ...app.test.store,
      maintenance: (work) =>
        app.test.store.maintenance(async (tx) => {
          const deletions: string[] = []
          const result = await work({
            ...tx,
            query: (statement) => {
              if (/^\s*delete from (deployments|config_versions)/.test(statement.text))
                deletions.push(statement.name)
              return tx.query(statement)
            },
          })
          if (deletions.length > 0) throw new Error('The machine lost its power.')
          return result
        }),
    }
    await expect(app.forget({ store })).rejects.toThrow('power')
    expect(await app.timeline()).toEqual(before)
    expect(await count('archive')).toBe(0)
  })

  it('is on a page of the timeline once, also while it is archived', async () => {
    const store: Pick<typeof app.test.store, 'transaction'> = {
      transaction: (scope, work) =>
        app.test.store.transaction(scope, (tx) =>
          work({
            ...tx,
            query: async (statement) => {
              // The other lists have been read.
              if (statement.name.startsWith('list-archived')) await app.forget()
              return tx.query(statement)
            },
          }),
        ),
    }
    timelinesBefore = new Map()
    for (const filter of filters()) timelinesBefore.set(filter, await app.timeline(filter))
    pageBefore = (await app.ok('viewer', `GET /deployments/${app.deployments.failed}`)).body
    const changes = await listChanges(
      { store },
      {
        orgId: app.orgId,
        scope: { orgId: app.orgId },
        limit: 100,
        kinds: undefined,
        foldTests: false,
        after: { micros: app.at.getTime() * 1000 + dayMs * 1000, id: '' },
      },
    )
    expect(await count('archive')).toBeGreaterThan(0)
    const ids = timelinesBefore.get('')?.map(({ id }) => id)
    expect(changes.map(({ id }) => id)).toEqual(ids)
  })

  it('is on the timeline as before, whatever is asked for, and says that it is archived', async () => {
    const { failed, first, second } = app.deployments
    for (const [filter, before] of timelinesBefore) {
      const after = await app.timeline(filter)
      expect([filter, before.length > 0]).toEqual([filter, true])
      expect([filter, comparable(after)]).toEqual([filter, comparable(before)])
      const archived = after.filter(({ archivedAt }) => archivedAt !== null)
      expect(archived.filter(({ wayBack }) => wayBack !== null)).toEqual([])
    }
    const archived = (await app.timeline()).filter(({ archivedAt }) => archivedAt !== null)
    expect(archived.map(({ kind, state }) => [kind, state])).toEqual([
      ['flag_flip', 'write'],
      ['config_version', 'write'],
      ['config_version', 'schema'],
      ['test_run', 'failed'],
      ['deployment', 'superseded'],
      ['deployment', 'superseded'],
      ['test_run', 'failed'],
      ['deployment', 'failure'],
    ])
    const deployments = archived.filter(({ kind }) => kind === 'deployment')
    expect(deployments.map(({ id }) => id)).toEqual([second, first, failed])
    expect(await count('deployments')).toBe(3)
    expect(await count('config_versions')).toBe(1)
    expect(await app.forget()).toBe(true)
    expect(await count('archive')).toBe(8)
    // The order within a millisecond is that of microseconds.
    expect(
      await count(`archive where at <> date_trunc('milliseconds', at) and kind = 'test_run'`),
    ).toBe(2)
  })

  it('never has a value of a key that is no flag, which may be a secret or become one', async () => {
    const stored = await app.test.asOwner<{ change: string }>(
      `select change::text from archive where kind = 'version'`,
    )
    const text = stored.map(({ change }) => change).join()
    for (const value of ['hidden-value', 'dark']) expect(text).not.toContain(value)
    const archived = (await app.timeline()).filter(({ archivedAt }) => archivedAt !== null)
    const [flip, written] = archived
    expect(flip?.title).toBe('beta: off → on')
    expect(written?.configuration?.changes).toEqual([
      { key: 'theme', tier: 'public', change: 'added' },
      { key: 'token', tier: 'secret', change: 'added' },
    ])
  })
})

describe('the page of an archived deployment', () => {
  const get = (as: string, id: string) => app.call(as, `GET /deployments/${id}`)

  it('is what it was, without what can be done', async () => {
    const { body } = await get('viewer', app.deployments.failed)
    expect(body.archivedAt).toEqual(expect.any(String))
    const timeline = pageBefore['timeline'] as { readonly kind: string }[]
    expect(timeline.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['created', 'status', 'commits', 'test_run', 'message']),
    )
    expect(pageBefore['commits']).toHaveLength(51)
    expect(body).toEqual({
      ...pageBefore,
      // The newest of them.
      commits: (pageBefore['commits'] as unknown[]).slice(1),
      archivedAt: body.archivedAt,
      timeline: timeline.map((entry) => ({ ...entry, nextStep: null, actions: [] })),
    })
    expect(body.messages[0].url).toBe('https://chat.example/m')
  })

  it('leads to those before it, which are archived too', async () => {
    const { failed, first, second, live, young } = app.deployments
    const { body } = await get('viewer', second)
    expect([body.older.id, body.previous.id]).toEqual([first, first])
    expect((await get('viewer', first)).body.older.id).toBe(failed)
    expect((await get('viewer', failed)).body.older).toBeNull()
    for (const id of [live, young])
      expect((await get('viewer', id)).body).toMatchObject({ id, archivedAt: null })
  })

  it('is of its organization, and for keys of its environment', async () => {
    const id = app.deployments.failed
    const key = (environmentId: string) =>
      buildKey(app.orgId, 'm2m', { environmentIds: [environmentId] })
    app.setActor('ownKey', key(app.production))
    app.setActor('otherKey', key('env_other'))
    const path = `GET /organizations/${app.otherOrgId}/deployments/${id}`
    expect([
      (await get('ownKey', id)).status,
      (await get('otherKey', id)).status,
      (await app.call('stranger', path)).status,
      (await app.call('stranger', `GET /organizations/${app.otherOrgId}/changes`)).body.items,
    ]).toEqual([200, 404, 404, []])
  })
})

describe('a month of the archive', () => {
  const months = async () => {
    const rows = await app.test.asOwner<{ name: string; rows: number }>(
      `select c.relname as name, (select count(*)::int from archive a where a.tableoid = c.oid) as rows
        from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'archive'::regclass`,
    )
    return rows
      .filter(({ name }) => name !== 'archive_default')
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  it('is a partition, and stays', async () => {
    const before = await months()
    expect(before.every(({ rows }) => rows > 0)).toBe(true)
    expect(await count('archive_default')).toBe(0)
    const nameOf = (at: Date) => `archive_${at.toISOString().slice(0, 7).replace('-', '')}01`
    expect(before.map(({ name }) => name)).toEqual(
      [...new Set([100, 98, 90, 0].map((days) => nameOf(app.ago(days))))].toSorted(),
    )
    await app.forget({ keptFor: { archiveMs: 40 * dayMs }, at: app.ago(-4000) })
    expect(await months()).toEqual(before)
  })

  it('is not made for what the archive keeps no longer', async () => {
    await app.test.asOwner(`update deployments set created_at = $2 where id = $1`, [
      app.deployments.young,
      app.ago(1700),
    ])
    const statements: string[] = []
    const store: typeof app.test.store = {
      ...app.test.store,
      maintenance: (work) =>
        app.test.store.maintenance((tx) =>
          work({
            ...tx,
            query: (statement) => {
              statements.push(statement.name)
              return tx.query(statement)
            },
          }),
        ),
    }
    await app.forget({ store, keptFor: { deploymentsMs: dayMs, archiveMs: 1550 * dayMs } })
    expect(statements).toContain('delete-old-deployments')
    expect(statements).not.toContain('add-partition')
  })
})

describe('the archive of an organization', () => {
  it('stays when a schema or an environment is deleted, and goes with the organization, whichever release deletes it', async () => {
    await app.test.asOwner(
      `insert into archive (org_id, at, kind, id, texts, change, archived_at)
        select 'org_gone', $1::timestamptz - n * interval '1 day', 'test_run', 'run_' || n, '', '{}', now() from generate_series(1, 1001) n`,
      [app.at],
    )
    const entries = await count(`archive where org_id = '${app.orgId}'`)
    await app.ok('admin', `DELETE /config-schemas/${app.schemaId}?force=true`)
    await app.forget({ keptFor: {} })
    expect(await count(`archive where org_id = 'org_gone'`)).toBe(0)
    expect(await count(`archive where org_id = '${app.orgId}'`)).toBe(entries)
    expect(entries).toBeGreaterThan(0)
  })
})
