import { toHref } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import type { ChatConnection } from '../../integrations/grants/chat-access.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { createFakeChat, type FakeChat } from './fake-chat.ts'

export interface Notifications {
  readonly test: TestStore
  readonly chat: FakeChat
  readonly deps: NotificationDeps
  readonly orgId: string
  readonly environmentId: string
  /** Holds the jobs that wait to be done. */
  readonly queued: { queue: string; orgId: string; id: string; startAfter: Date | undefined }[]
  connection: ChatConnection | undefined
  clock: Date
  addDeployment(state: string, columns?: Readonly<Record<string, unknown>>): Promise<string>
  setState(id: string, state: string): Promise<void>
  addRoute(columns?: Readonly<Record<string, unknown>>): Promise<string>
  rowOf(id: string, kind?: string, routeId?: string): Promise<Record<string, unknown> | undefined>
  close(): Promise<void>
}

/**
 * Notifications on a real database, with a chat workspace in memory and a clock that is set.
 *
 * @param shared a database that goes on to exist, of which the notifications of earlier tests are taken away
 */
export async function openNotifications(shared?: TestStore): Promise<Notifications> {
  const test = shared ?? (await openTestStore())
  await shared?.asOwner('delete from notifications; delete from notification_routes')
  const clock = new Date('2026-11-22T10:00:00Z')
  const orgId = newId('org', clock)
  const environmentId = newId('env', clock)
  const insert = async (table: string, row: Readonly<Record<string, unknown>>) => {
    const names = Object.keys(row)
    const places = names.map((_, index) => `$${index + 1}`)
    await test.asOwner(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    )
  }
  await insert('organizations', { id: orgId, slug: orgId.toLowerCase(), name: 'Acme' })
  await test.asOwner(`insert into nodes (id) values ('node') on conflict do nothing`)
  const production = { org_id: orgId, id: environmentId, name: 'production', production: true }
  await insert('environments', production)
  await insert('repositories', { org_id: orgId, id: 'rep_1', full_name: 'acme/shop' })
  const chat = createFakeChat()
  const queued: Notifications['queued'] = []
  let count = 0
  const opened: Notifications = {
    test,
    chat,
    orgId,
    environmentId,
    queued,
    clock,
    connection: {
      integrationId: 'int_1',
      provider: 'slack',
      state: 'connected',
      defaultChannelId: 'C1',
    },
    deps: {
      store: test.store,
      jobs: {
        nodeId: 'node',
        enqueue(_tx, queue, data, { startAfter } = {}) {
          queued.push({ orgId: '', id: '', ...data, queue, startAfter })
          return Promise.resolve()
        },
      },
      chat: {
        findConnection: () => Promise.resolve(opened.connection),
        open: () => Promise.resolve(chat),
      },
      pageUrl: (_orgId, page) => `https://signalbox.acme.dev${toHref(page)}`,
      now: () => opened.clock,
    },
    async addDeployment(state, columns = {}) {
      count += 1
      const created_at = new Date(opened.clock.getTime() + count)
      const id = newId('dep', created_at)
      await insert('deployments', {
        org_id: orgId,
        id,
        repository_id: 'rep_1',
        external_id: String(count),
        sha: 'a1b2c3d4e5f6',
        ref: 'main',
        ref_kind: 'branch',
        host_environment: 'live',
        environment_id: environmentId,
        state,
        source: 'webhook',
        created_at,
        ...columns,
      })
      return id
    },
    async setState(id, state) {
      await test.asOwner('update deployments set state = $2 where id = $1', [id, state])
    },
    async addRoute(columns = {}) {
      count += 1
      const id = newId('rte', new Date(opened.clock.getTime() + count))
      const match = JSON.stringify({
        environmentIds: null,
        repositories: null,
        branches: null,
        states: 'always',
      })
      const base = {
        org_id: orgId,
        id,
        name: 'r',
        channel_id: 'C2',
        channel_name: 'deploys',
        match,
      }
      await insert('notification_routes', { ...base, events: ['deployment'], ...columns })
      return id
    },
    async rowOf(id, kind = 'deployment', routeId = '') {
      const [row] = await test.asOwner(
        'select * from notifications where subject_id = $1 and subject_kind = $2 and route_id = $3',
        [id, kind, routeId],
      )
      return row
    },
    async close() {
      if (shared === undefined) await test.close()
    },
  }
  return opened
}
