import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generateRootKey } from '../../crypto/root-key.ts'
import type { Connected, FormConnector, FormRejection } from '../../providers/connector.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { createGrantReader, type ReadGrant } from '../testing/read-grant.ts'
import { presentIntegration } from '../present-integration.ts'
import { connectByForm, type ConnectByFormDeps } from './connect-by-form.ts'
import { disconnectIntegration } from './disconnect-integration.ts'

const token = 'a-token-that-nobody-may-read'
const now = () => new Date('2026-11-26T09:00:00Z')
const author = { type: 'user', id: 'usr_1', name: 'Ada' } as const
const request = { requestId: 'req_1', ip: '192.0.2.1', userAgent: undefined }
const person = { userId: 'usr_1', sessionId: 'session_1' }
const caller = (orgId = 'org_1') => ({
  orgId,
  organizationName: 'Acme',
  scope: { orgId, userId: 'usr_1' },
  author,
  request,
})

let test: TestStore
let deps: ConnectByFormDeps
let readGrant: ReadGrant
/** Answers as the provider does. */
let answer: (
  values: Readonly<Record<string, string>>,
) => Promise<Connected | FormRejection> | Connected | FormRejection
let isAdmin = true
/** Holds the address that an operator entered for the provider. */
let enteredUrl: string | undefined

function connectedTo(id: string, accessToken: string): Connected {
  const account = { id, name: 'Bot', url: 'https://chat.example' }
  const ends = { accessExpiresAt: null, refreshToken: null, refreshExpiresAt: null }
  return {
    account,
    choices: [account],
    grant: { accessToken, ...ends, scopes: [] },
    scopes: [],
    reconnectBefore: null,
    settings: {},
  }
}

const connector: FormConnector = {
  provider: 'slack',
  way: 'form',
  form: {
    advice: 'An administrator creates a bot.',
    fields: [
      { name: 'token', label: 'Token', role: 'secret', isRequired: true },
      { name: 'note', label: 'Note', role: 'text', isRequired: false },
    ],
  },
  get enteredUrl() {
    return enteredUrl
  },
  connect: async (values) => answer(values),
  refresh: undefined,
  revoke: undefined,
  revokeAdvice: 'Delete the token of the bot there.',
  manageUrl: 'https://chat.example/bots',
  wantedScopes: {},
}

beforeAll(async () => {
  test = await openTestStore()
  const rootKey = generateRootKey()
  await verifyRootKeys(test, [rootKey])
  const { store } = test
  const keys = createOrganizationKeys({ store, rootKeys: () => [rootKey], now })
  await test.asOwner(`insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada');
    insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme'), ('org_2', 'other', 'Other')`)
  for (const orgId of ['org_1', 'org_2']) {
    await store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  }
  readGrant = createGrantReader({ store, keys })
  deps = {
    store,
    keys,
    connectorOf: (kind, name = 'slack') =>
      kind === 'chat' && name === 'slack' ? connector : undefined,
    stateKey: randomBytes(32),
    publicUrl: () => 'http://127.0.0.1:4400',
    emit: () => Promise.resolve(),
    now,
    holdAdmin: async () => (isAdmin ? undefined : 'role_changed'),
  }
})
beforeEach(async () => {
  isAdmin = true
  enteredUrl = undefined
  answer = (values) => connectedTo('bot_1', values['token'] ?? '')
  await test.asOwner('delete from integrations; delete from audit_events')
})
afterAll(() => test?.close())

const connect = (values: Record<string, string> = { token }, orgId = 'org_1', provider = 'slack') =>
  connectByForm(deps, caller(orgId), { kind: 'chat', provider, values, person })

describe('connecting by a form', () => {
  it('stores the secret sealed, as a grant without an end, and shows it nowhere', async () => {
    const [integration] = await connect({ token: ` ${token}\n` })
    expect(await readGrant('org_1', 'chat')).toMatchObject({
      accessToken: token,
      accessExpiresAt: null,
      refreshToken: null,
    })
    const shown = presentIntegration('chat', integration, deps.connectorOf)
    expect(shown).toMatchObject({
      state: 'connected',
      account: { id: 'bot_1' },
      revokeAdvice: 'Delete the token of the bot there.',
      choices: [{ provider: 'slack', form: { fields: [{ isSecret: true }, { isSecret: false }] } }],
    })
    const stored = await test.asOwner(
      'select to_jsonb(i) as a, (select jsonb_agg(to_jsonb(e)) from audit_events e) as b from integrations i',
    )
    expect(stored).toHaveLength(1)
    expect(JSON.stringify([shown, stored])).not.toContain(token)
    expect(
      await test.asOwner(
        `select position(convert_to($1, 'utf8') in sealed) as at from integration_credentials`,
        [token],
      ),
    ).toEqual([{ at: 0 }])
  })

  it('replaces the stored secret of the same account', async () => {
    await connect()
    await connect({ token: 'the-next-token' })
    expect((await readGrant('org_1', 'chat'))?.accessToken).toBe('the-next-token')
  })

  it.each([
    [
      { token: 'of two words' },
      '/values/token',
      'This field must not contain spaces. Copy the value again.',
    ],
    [{}, '/values/token', 'This field must not be empty.'],
    [{ token: '  ' }, '/values/token', 'This field must not be empty.'],
    [{ token, url: 'https://evil.example' }, '/values', 'The form has no such field.'],
  ])('refuses %j and says where', async (values, pointer, detail) => {
    let isAsked = false
    answer = () => {
      isAsked = true
      return connectedTo('bot_1', token)
    }
    await expect(connect(values)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer, detail }],
    })
    expect(isAsked).toBe(false)
  })

  it('shows the rejection of the provider at the field that it is about', async () => {
    answer = () => ({
      refusedField: 'token',
      detail: 'Chat does not know this token. Copy it again.',
    })
    await expect(connect()).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [
        { pointer: '/values/token', detail: 'Chat does not know this token. Copy it again.' },
      ],
    })
    expect(await test.asOwner('select * from integrations')).toEqual([])
  })

  it.each([
    ['unavailable', 'ECONNREFUSED', /unreachable or failing/],
    ['unavailable', 'address_forbidden', /SIGNALBOX_EGRESS_ALLOW/],
  ] as const)(
    'stores nothing where the provider does not say: %s, %s',
    async (failure, code, detail) => {
      answer = () => {
        throw new ProviderError({ provider: 'slack', failure, code })
      }
      await expect(connect()).rejects.toMatchObject({
        code: 'provider_error',
        message: expect.stringMatching(detail),
      })
      expect(await test.asOwner('select * from integrations')).toEqual([])
    },
  )

  it('names the address that an operator entered where nothing answers there', async () => {
    answer = () => {
      throw new ProviderError({ provider: 'slack', failure: 'unavailable', code: 'connection' })
    }
    enteredUrl = 'https://chat.example'
    const message = expect.stringMatching(
      /does not answer at https:\/\/chat\.example,(?!.*connection)/,
    )
    await expect(connect()).rejects.toMatchObject({ code: 'provider_error', message })
  })

  it('stores nothing for a person who lost the right while the provider was asked', async () => {
    answer = () => {
      isAdmin = false
      return connectedTo('bot_1', token)
    }
    await expect(connect()).rejects.toMatchObject({ code: 'role_forbidden' })
    expect(await test.asOwner('select * from integrations')).toEqual([])
    expect(await test.asOwner('select * from integration_credentials')).toEqual([])
  })

  it('takes no account of another organization, and no second one', async () => {
    await connect()
    await expect(connect({ token }, 'org_2')).rejects.toMatchObject({ code: 'integration_exists' })
    answer = () => connectedTo('bot_2', token)
    await expect(connect()).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is for providers that have a form', async () => {
    await expect(connect({ token }, 'org_1', 'nobody')).rejects.toMatchObject({
      errors: [{ pointer: '/provider' }],
    })
    const of = { kind: 'codehost', provider: 'github', values: {}, person } as const
    await expect(connectByForm(deps, caller(), of)).rejects.toMatchObject({
      code: 'provider_not_set_up',
    })
  })

  it('is told after disconnecting what to do at the provider', async () => {
    await connect()
    await disconnectIntegration(deps, caller(), { kind: 'chat' })
    const [{ revocation } = {}] = await test.asOwner('select revocation from integrations')
    expect(revocation).toMatchObject({
      state: 'not_offered',
      detail: expect.stringContaining('Delete the token of the bot there.'),
      url: 'https://chat.example/bots',
    })
    expect(await test.asOwner('select * from integration_credentials')).toEqual([])
  })
})

it('takes the place of another provider whose account nobody chose, and keeps nothing of it', async () => {
  await connect()
  await test.asOwner(`update integrations set provider = 'discord', state = 'pending', account_id = null,
    account = null, settings = '{"choices": [{"id": "1"}]}'`)
  await connect()
  const rows = await test.asOwner('select provider, state, settings from integrations')
  expect(rows).toEqual([{ provider: 'slack', state: 'connected', settings: {} }])
})
