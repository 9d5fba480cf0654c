import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'

const userAgent = 'DiscordBot (https://example.com, 1)'

const sandbox = await openSandbox()
beforeEach(() => {
  const guild = sandbox.discord.guild()
  // It has the rights of everybody, which include to read what was written.
  guild.botRoles = [guild.id]
})

interface Shown {
  readonly id: string
  readonly content: string
}

/** Calls the API as the bot. Returns the status and the body. */
async function call(request: string, body?: object, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = request.split(' ')
  const answer = await fetch(`${sandbox.addresses.discordApi}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${sandbox.discord.app.botToken}`,
      'user-agent': userAgent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

const messages = () => `/channels/${sandbox.discord.channelId('general')}/messages`
const list = (query = '') => call(`GET ${messages()}${query}`)
const shown = ({ body }: { readonly body: unknown }) => body as readonly Shown[]
const textsOf = (listed: { readonly body: unknown }) => shown(listed).map(({ content }) => content)

describe('a call of the bot', () => {
  it.each(['node', 'DiscordBot', 'DiscordBot (https://example.com)'])(
    'is refused where the client calls itself %s',
    async (name) => {
      const { body } = await call('GET /users/@me', undefined, { 'user-agent': name })
      expect(body).toMatchObject({ code: 40_333 })
      // Control: with the name that Discord asks for it is answered.
      expect((await call('GET /users/@me')).status).toBe(200)
    },
  )

  it('is refused for a person’s token as well where the client has no name', async () => {
    const answer = await fetch(`${sandbox.addresses.discordApi}/v10/oauth2/token`, {
      method: 'POST',
      headers: { 'user-agent': 'node' },
      body: new URLSearchParams({ grant_type: 'authorization_code' }),
    })
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 40_333 }])
  })
})

describe('the list of messages', () => {
  it('is empty, and no refusal, where the bot may not read what was written', async () => {
    sandbox.discord.say('general', 'Hello')
    expect(textsOf(await list())).toEqual(['Hello'])
    for (const role of sandbox.discord.guild().roles.values()) role.permissions &= ~(1n << 16n)
    expect(await list()).toEqual({ status: 200, body: [] })
  })

  it('holds the oldest after an id, or the newest of all, the newest first and a hundred at most', async () => {
    const ids = Array.from({ length: 103 }, (_, nth) => sandbox.discord.say('general', String(nth)))
    const after = await list(`?after=${ids[0]}&limit=3`)
    expect(textsOf(after)).toEqual(['3', '2', '1'])
    expect((await list(`?after=${ids[0]}&limit=100`)).body).toHaveLength(100)
    expect(textsOf(await list('?limit=2'))).toEqual(['102', '101'])
    expect((await list()).body).toHaveLength(50)
    for (const limit of [0, 101]) expect((await list(`?limit=${limit}`)).status).toBe(400)
  })

  it('leaves out what somebody has deleted', async () => {
    const id = sandbox.discord.say('general', 'Hello')
    sandbox.discord.deleteMessage('general', id)
    expect((await list()).body).toEqual([])
  })
})

describe('a nonce', () => {
  const post = (nonce: string, more: object = {}) =>
    call(`POST ${messages()}`, { content: 'x', nonce, enforce_nonce: true, ...more })
  const idOf = async (posted: ReturnType<typeof post>) => ((await posted).body as Shown).id

  it('stands for one message as long as it is remembered, and only where it is enforced', async () => {
    const ids = [await idOf(post('n'))]
    sandbox.clock.advance(sandbox.discord.nonceWindowMs - 10_000)
    expect(await idOf(post('n'))).toBe(ids[0])
    sandbox.clock.advance(10_001)
    ids.push(await idOf(post('n')), await idOf(post('n', { enforce_nonce: false })))
    expect(new Set(ids).size).toBe(3)
  })

  it('has 25 characters at most', async () => {
    expect((await post('n'.repeat(25))).status).toBe(200)
    expect((await post('n'.repeat(26))).status).toBe(400)
  })
})
