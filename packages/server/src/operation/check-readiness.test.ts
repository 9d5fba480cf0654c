import { describe, expect, it } from 'vitest'
import { checkReadiness } from './check-readiness.ts'

const ports = { areKeysLoaded: () => true, delivery: undefined }
const check = async () => ({ ok: true, detail: 'The database answers.' })

describe('the readiness of a process', () => {
  it('says that a newer release has migrated the database, and stays ready', async () => {
    const { migrations } = await checkReadiness(
      { store: { check, newerMigration: undefined } },
      ports,
    )
    expect(migrations).toEqual({ ok: true, detail: 'The database schema is up to date.' })
    const newer = await checkReadiness({ store: { check, newerMigration: '0099-later' } }, ports)
    expect(newer['migrations']).toEqual({
      ok: true,
      detail:
        'A newer release has migrated the database (0099-later). This one can work with it: update this node.',
      warning: true,
    })
  })
})
