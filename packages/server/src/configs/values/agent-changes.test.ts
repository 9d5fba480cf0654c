import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../config-model/caller.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { changeConfig } from './change-config.ts'

let app: ConfigApp
let schemaId: string
const ids = { production: '', base: '', guarded: '', approved: '', staging: '' }

beforeAll(async () => {
  app = await openConfigApp()
  const add = async (body: object) =>
    (await app.ok('admin', 'POST /environments', { body })).body.id as string
  ids.base = await app.addEnvironment('base')
  ids.staging = await app.addEnvironment('staging')
  ids.production = await add({ name: 'production', production: true, parentId: ids.base })
  ids.guarded = await add({ name: 'guarded', protection: { comment: true } })
  ids.approved = await app.addEnvironment('approved')
  await app.test.asOwner('update environments set approvals = 1 where id = $1', [ids.approved])
  schemaId = await app.addSchema('web', {
    theme: { type: 'string', tier: 'public' },
    password: { type: 'string', tier: 'secret' },
  })
})
afterAll(() => app.close())

/** Returns an assistant as the use case sees it, or a person who may do the same. */
const callerOf = (isAgent: boolean): Caller => ({
  orgId: app.orgId,
  scope: { orgId: app.orgId },
  author: { type: 'user', id: null, name: 'Ada, through a program' },
  request: { requestId: 'req', ip: '192.0.2.1', userAgent: undefined },
  environmentIds: null,
  schemaIds: null,
  readsSecrets: false,
  permissions: [{ verbs: ['readValues', 'writeValues'], environmentIds: null, schemaIds: null }],
  isAgent,
})

/** Changes an environment with everything that its protection asks for. */
const change = (environmentId: string, set: object, isAgent = true) =>
  changeConfig(app.deps, callerOf(isAgent), {
    schemaId,
    changes: [
      {
        environmentId,
        expectedVersion: undefined,
        set: { ...set },
        rules: {},
        unset: [],
        turn: {},
      },
    ],
    allowPlain: ['theme'],
    confirmation: { confirm: ['production', 'guarded'], comment: 'asked for', from: 'body' },
    dryRun: false,
  })

describe('an assistant, past its tools and with every confirmation', () => {
  it('changes nothing where others approve', async () => {
    const refused = change(ids.approved, { theme: 'by an assistant' })
    await expect(refused).rejects.toMatchObject({ code: 'person_required' })
  })

  it.each(['production', 'guarded', 'base'] as const)('changes nothing in %s', async (name) => {
    const set = { theme: `by an assistant in ${name}` }
    await expect(change(ids[name], set)).rejects.toMatchObject({ code: 'person_required' })
    const values = `config-values?schemaId=${schemaId}&environmentId=${ids[name]}`
    expect((await app.ok('viewer', `GET /${values}`)).text).not.toContain('by an assistant')
    // Control: a person with the same request does.
    await expect(change(ids[name], set, false)).resolves.toMatchObject({ problems: [] })
  })

  it('sets no secret', async () => {
    const set = { password: 'mine' }
    await expect(change(ids.staging, set)).rejects.toMatchObject({ code: 'person_required' })
    await expect(change(ids.staging, set, false)).resolves.toMatchObject({ problems: [] })
  })

  it('allows no value that looks like a secret', async () => {
    const set = { theme: `ghp_${'a'.repeat(36)}` }
    await expect(change(ids.staging, set)).rejects.toMatchObject({ code: 'looks_like_secret' })
    await expect(change(ids.staging, set, false)).resolves.toMatchObject({ problems: [] })
  })

  it('changes what is left', async () => {
    await expect(change(ids.staging, { theme: 'light' })).resolves.toMatchObject({ problems: [] })
  })
})
