import { Problem } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from './open-store.ts'
import { silentLog } from './log.ts'
import type { Tx } from './store.ts'
import { openTestStore, type TestStore } from './testing/test-database.ts'

let test: TestStore
const scope = { orgId: null }

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`create table counters (id int primary key, n int not null);
    grant all on counters to signalbox_app`)
})
beforeEach(async () => {
  await test.asOwner('truncate counters; insert into counters values (1, 0), (2, 0)')
})
afterAll(() => test.close())

const sql = (text: string) => ({ name: text.slice(-60), text, values: [] })
const readCounter = () => test.asOwner<{ n: number }>('select n from counters where id = 1')

async function increment(tx: Tx, whenRead: () => Promise<void> | void = () => {}): Promise<void> {
  await tx.query(sql('set transaction isolation level serializable'))
  const [row] = await tx.query<{ n: number }>(sql('select n from counters where id = 1'))
  await whenRead()
  await tx.query({
    name: 'set',
    text: 'update counters set n = $1 where id = 1',
    values: [(row?.n ?? 0) + 1],
  })
}

describe('transaction', () => {
  it('runs again when it could not be serialized, and loses no change', async () => {
    let runs = 0
    let readers = 0
    const allHaveRead = Promise.withResolvers<void>()
    const work = (tx: Tx) => {
      runs += 1
      return increment(tx, () => {
        readers += 1
        if (readers === 3) allHaveRead.resolve()
        return allHaveRead.promise
      })
    }
    await Promise.all([1, 2, 3].map(() => test.store.transaction(scope, work)))
    expect(await readCounter()).toEqual([{ n: 3 }])
    expect(runs).toBeGreaterThan(3)
  })

  it('runs again after a deadlock', async () => {
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const cross = (mine: number, other: number) =>
      test.store.transaction(scope, async (tx) => {
        await tx.query(sql(`update counters set n = n + 1 where id = ${mine}`))
        both[mine - 1]?.resolve()
        await both[other - 1]?.promise
        await tx.query(sql(`update counters set n = n + 1 where id = ${other}`))
      })
    await Promise.all([cross(1, 2), cross(2, 1)])
    expect(await readCounter()).toEqual([{ n: 2 }])
  })

  it('gives up after five runs', async () => {
    let runs = 0
    const work = async (tx: Tx) => {
      runs += 1
      await tx.query(sql(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`))
    }
    await expect(test.store.transaction(scope, work)).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(5)
  })

  it('keeps nothing when its work throws', async () => {
    const failing = test.store.transaction(scope, async (tx) => {
      await tx.query(sql('update counters set n = 9'))
      throw new Problem('conflict', 'No')
    })
    await expect(failing).rejects.toMatchObject({ code: 'conflict' })
    expect(await readCounter()).toEqual([{ n: 0 }])
  })

  it('never reports success when a failed statement was passed over', async () => {
    const work = async (tx: Tx) => {
      await tx.query(sql('update counters set n = 9 where id = 1'))
      await tx.query(sql('select nonsense')).catch(() => undefined)
    }
    await expect(test.store.transaction(scope, work)).rejects.toThrow(/Ignored a failed statement/)
    expect(await readCounter()).toEqual([{ n: 0 }])
  })

  it('fails and keeps nothing when a sent statement fails', async () => {
    const work = async (tx: Tx) => {
      await tx.query(sql('update counters set n = 9 where id = 1'))
      tx.send(sql('insert into counters values (1, 1)'))
      return 'done'
    }
    await expect(test.store.transaction(scope, work)).rejects.toMatchObject({ code: '23505' })
    expect(await readCounter()).toEqual([{ n: 0 }])
  })

  it('names the statement that failed, not those that failed because of it', async () => {
    const work = async (tx: Tx) => {
      tx.send(sql('insert into counters values (1, 1)'))
      await tx.query(sql('select 1'))
    }
    await expect(test.store.transaction(scope, work)).rejects.toMatchObject({ code: '23505' })
  })

  it('names the statement that failed, not one that was sent with it', async () => {
    const lockLate = async (tx: Tx) => {
      await tx.query(sql(`do $$ begin raise exception 'late' using errcode = '55P03'; end $$`))
    }
    const work = async (tx: Tx) => {
      await Promise.all([lockLate(tx).then(() => undefined), tx.query(sql('select 1'))])
    }
    const failing = test.store.transaction(scope, work)
    await expect(failing).rejects.toMatchObject({ code: 'db_unavailable' })
  })

  it('runs again when a sent statement could not be serialized', async () => {
    let runs = 0
    const work = async (tx: Tx) => {
      runs += 1
      if (runs === 1)
        tx.send(sql(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`))
      tx.send(sql('update counters set n = n + 1 where id = 1'))
    }
    await test.store.transaction(scope, work)
    expect(runs).toBe(2)
    expect(await readCounter()).toEqual([{ n: 1 }])
  })

  it('sends statements of the commit last, in the order of the calls', async () => {
    await test.store.transaction(scope, async (tx) => {
      tx.atCommit(sql('update counters set n = n * 10 where id = 1'))
      tx.atCommit(sql('update counters set n = n + 5 where id = 1'))
      tx.send(sql('update counters set n = n + 1 where id = 1'))
      await tx.query(sql('update counters set n = n + 1 where id = 1'))
    })
    expect(await readCounter()).toEqual([{ n: 25 }])
  })

  it('leaves no state of a failed transaction to the next one on its connection', async () => {
    const failing = test.store.transaction(scope, async (tx) => {
      tx.atCommit(sql('update counters set n = 9 where id = 1'))
      tx.send(sql('select nonsense'))
    })
    await expect(failing).rejects.toMatchObject({ code: '42703' })
    const twenty = Array.from({ length: 20 }, () =>
      test.store.transaction(scope, (tx) => tx.query(sql('select 1'))),
    )
    await Promise.all(twenty)
    expect(await readCounter()).toEqual([{ n: 0 }])
  })

  it('announces after the commit, and never after a rollback', async () => {
    const heard: unknown[] = []
    const forget = test.store.onAnnounce('jobs', () => void heard.push('jobs'))
    // The first connection of a listener calls it once, because it may have missed something. That call is no announcement.
    await expect.poll(() => heard.splice(0).length).toBeGreaterThan(0)
    const failing = test.store.transaction(scope, async (tx) => {
      tx.announce('jobs')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await test.store.transaction(scope, (tx) => tx.query(sql('select 1')))
    expect(heard).toEqual([])
    await test.store.maintenance(async (tx) => {
      tx.announce('jobs')
      tx.announce('jobs')
      await tx.query(sql('select 1'))
      expect(heard).toEqual([])
    })
    expect(heard).toEqual(['jobs'])
    forget()
  })

  it('reads counts as numbers and refuses those a number cannot hold', async () => {
    const [row] = await test.store.transaction(scope, (tx) =>
      tx.query(sql('select count(*) as n from counters')),
    )
    expect(row).toEqual({ n: 2 })
    const beyond = test.store.transaction(scope, (tx) =>
      tx.query(sql('select 9007199254740993::bigint as n')),
    )
    await expect(beyond).rejects.toThrow(/does not fit/)
  })
})

describe('faults', () => {
  it.each([
    ['57014', 'db_unavailable'],
    ['57P01', 'db_unavailable'],
    ['08006', 'db_unavailable'],
    ['53300', 'db_unavailable'],
    ['53100', 'storage_full'],
    ['25006', 'read_only'],
  ])('answers %s of the database with %s', async (state, code) => {
    const work = (tx: Tx) =>
      tx.query(sql(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`))
    await expect(test.store.transaction(scope, work)).rejects.toMatchObject({ code })
  })

  it('answers db_unavailable while a row stays locked', async () => {
    const locked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = test.store.transaction(scope, async (tx) => {
      await tx.query(sql('update counters set n = 1 where id = 1'))
      locked.resolve()
      await held.promise
    })
    await locked.promise
    // Without its limit it would wait until the test ends.
    const waiting = test.store.transaction(scope, (tx) =>
      tx.query(sql('update counters set n = 2 where id = 1')),
    )
    await expect(waiting).rejects.toMatchObject({ code: 'db_unavailable', retryAfterSeconds: 1 })
    held.resolve()
    await holding
  })

  it('survives the loss of every connection, also of those in use', async () => {
    const held = Promise.withResolvers<void>()
    const work = async (tx: Tx) => {
      await tx.query(sql('select 1'))
      held.resolve()
      await tx.query(sql('select pg_sleep(3)'))
    }
    const cut = test.store.transaction(scope, work).catch((error: unknown) => error)
    await held.promise
    await test.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    expect(await cut).toMatchObject({ code: 'db_unavailable' })
    await expect
      .poll(() => test.store.check())
      .toEqual({ ok: true, detail: 'The database answers.' })
  })

  it('tries the hosts in order until one is a primary', async () => {
    const [scheme, rest] = test.databaseUrl.split('localhost/')
    // Nothing listens on the first host; the second is reached through the same parameters.
    const socket = decodeURIComponent(rest?.split('host=')[1] ?? '')
    const name = rest?.split('?')[0] ?? ''
    const hosts = `127.0.0.1:1,${encodeURIComponent(socket)}`
    const store = await openStore({
      source: { databaseUrl: `${scheme}${hosts}/${name}` },
      log: silentLog,
    })
    expect(await store.transaction(scope, (tx) => tx.query(sql('select 1 as one')))).toEqual([
      { one: 1 },
    ])
    await store.close()
  })
})
