import { describe, expect, it } from 'vitest'
import { checkReadiness } from './check-readiness.ts'

const jobs = { scheduledAgeSeconds: () => 61, writtenAgeSeconds: () => 1 }
const ports = { areKeysLoaded: () => true, delivery: undefined }
const check = async () => ({ ok: true, detail: 'The database answers.' })

describe('the readiness of a process', () => {
  it('says that a newer release has migrated the database, and stays ready', async () => {
    const { migrations } = await checkReadiness(
      { store: { check, newerMigration: undefined }, jobs },
      ports,
    )
    expect(migrations).toEqual({ ok: true, detail: 'The database schema is up to date.' })
    const newer = await checkReadiness(
      { store: { check, newerMigration: '0099-later' }, jobs },
      ports,
    )
    expect(newer['migrations']).toEqual({
      ok: true,
      detail:
        'A newer release has migrated the database (0099-later). This one can work with it: update this node.',
      warning: true,
    })
  })

  it.each([
    [61, { ok: true, detail: 'Jobs can run. The last scheduled one was added 61 s ago.' }],
    [600, { ok: true, detail: 'Jobs can run. The last scheduled one was added 600 s ago.' }],
    [601, { ok: true, detail: expect.stringContaining('for 601 s'), warning: true }],
  ])('warns when no scheduled job is added, and stays ready: %i s', async (age, queue) => {
    const store = { check, newerMigration: undefined }
    const aged = { ...jobs, scheduledAgeSeconds: () => age }
    expect(await checkReadiness({ store, jobs: aged }, ports)).toMatchObject({ queue })
  })

  const away = { ok: false, detail: 'The database did not answer in time.' }
  const waits = {
    ok: true,
    warning: true,
    detail: expect.stringContaining('no write of this process for 11 s'),
  }
  it.each([
    [
      10,
      { ok: true, detail: 'The database answers.' },
      { ok: true, detail: 'The database answers.' },
    ],
    [11, { ok: true, detail: 'The database answers.' }, waits],
    [11, away, away],
  ])('warns while writes wait for %i s, and stays ready: %o', async (age, answer, storage) => {
    const store = { check: async () => answer, newerMigration: undefined }
    const aged = { ...jobs, writtenAgeSeconds: () => age }
    expect((await checkReadiness({ store, jobs: aged }, ports)).storage).toEqual(storage)
  })
})
