import { randomUUID } from 'node:crypto'
import * as published from 'discord-api-spec/zod'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { renderDeploymentMessage } from '../../notifications/messages/render-deployment-message.ts'
import { renderThread } from '../../notifications/messages/render-thread.ts'
import { hostileView } from '../../notifications/testing/hostile-view.ts'
import { openDiscord, type OpenedDiscord } from './testing/open-discord.ts'

type Schema = typeof published.MessageResponseSchema

/** Returns what the document has against a value: what is missing or wrong, and parts that it does not know. */
function objectionsTo(value: unknown, schema: Schema): readonly unknown[] {
  const read = schema.safeParse(value)
  if (!read.success) return read.error.issues
  const known = JSON.stringify(read.data, sorted)
  const all = JSON.stringify(value, sorted)
  return known === all ? [] : [{ unknownParts: [all, known] }]
}

/** Puts the names of an object in order: a schema has its own. */
function sorted(_name: string, value: unknown): unknown {
  const record = z.record(z.string(), z.unknown()).safeParse(value)
  if (!record.success || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(record.data).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

let world: OpenedDiscord
let channelId: string

beforeAll(async () => {
  world = await openDiscord()
  await world.connect()
  channelId = world.sandbox.discord.channelId('deployments')
})
afterAll(() => world.close())

/** Calls the pretended Discord as the bot. */
async function call(request: string, body?: object): Promise<unknown> {
  const [method = '', path = ''] = request.split(' ')
  const { addresses, discord } = world.sandbox
  const answer = await fetch(`${addresses.discordApi}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${discord.app.botToken}`,
      'user-agent': 'DiscordBot (https://signalbox.dev, 1)',
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

const idOf = (answer: unknown) => z.object({ id: z.string() }).parse(answer).id

/**
 * The document has no answers of OAuth. In two things it contradicts Discord's guide, and the sandbox follows the guide: the answer
 * of a limit may have no code, and the code of a faulty field is a word.
 */
describe('by the OpenAPI document that Discord publishes', () => {
  it('every answer of the pretended Discord is whole, and has nothing besides', async () => {
    const guild = `/guilds/${world.sandbox.discord.guild().id}`
    const messages = `/channels/${channelId}/messages`
    const own = await call('GET /users/@me')
    const message = await call(`POST ${messages}`, {
      content: 'Hello',
      embeds: [{ title: 'a', description: 'b', color: 1, footer: { text: 'c' } }],
    })
    const reply = { content: 'a', message_reference: { message_id: idOf(message) } }
    const list = async (path: string) => z.array(z.unknown()).parse(await call(`GET ${path}`))
    const answers: readonly (readonly [name: string, answer: unknown, schema: Schema])[] = [
      ['user', own, published.UserPIIResponseSchema],
      ['server', await call(`GET ${guild}`), published.GuildWithCountsResponseSchema],
      ['member', await call(`GET ${guild}/members/${idOf(own)}`), published.GuildMemberResponseSchema],
      ['channel', await call(`GET /channels/${channelId}`), published.GuildChannelResponseSchema],
      ['message', message, published.MessageResponseSchema],
      ['edit', await call(`PATCH ${messages}/${idOf(message)}`, { content: 'b' }), published.MessageResponseSchema],
      ['reply', await call(`POST ${messages}`, reply), published.MessageResponseSchema],
      ['new thread', await call(`POST ${messages}/${idOf(message)}/threads`, { name: 'n' }), published.CreatedThreadResponseSchema],
      ['thread', await call(`GET /channels/${idOf(message)}`), published.ThreadResponseSchema],
      ['refusal', await call(`PATCH ${messages}/1`, { content: 'b' }), published.ErrorResponseSchema],
      ...(await list(`${guild}/roles`)).map((each) => ['role', each, published.GuildRoleResponseSchema] as const),
      ...(await list(`${guild}/channels`)).map((each) => ['channel', each, published.GuildChannelResponseSchema] as const),
      ...(await list(messages)).map((each) => ['message', each, published.MessageResponseSchema] as const),
    ] // prettier-ignore
    expect(answers.length).toBeGreaterThan(15)
    const objections = answers.map(([name, answer, schema]) => [name, objectionsTo(answer, schema)])
    expect(objections).toEqual(answers.map(([name]) => [name, []]))
  })

  it('every request of ours is valid, whatever others wrote', async () => {
    const page = 'https://signalbox.acme.dev/deployments/dep_1'
    const api = world.open()
    const before = world.sandbox.log.list().length
    for (const view of fc.sample(hostileView, { numRuns: 10, seed: 20_261_126 })) {
      const message = renderDeploymentMessage(view, page)
      const to = { channelId, key: randomUUID() }
      const posted = await api.post(message, to)
      await api.update(posted, message)
      const inThread = { channelId, thread: posted }
      await api.post(renderThread(view, page) ?? message, { ...inThread, key: randomUUID() })
      await api.post(message, { ...inThread, key: randomUUID(), broadcast: true })
    }
    const requests = world.sandbox.log
      .list()
      .slice(before)
      .flatMap(({ method, path, body }) => {
        const schema = schemaOf(`${method} ${path}`)
        return schema === undefined ? [] : [{ schema, body: JSON.parse(body) as unknown }]
      })
    expect(requests.length).toBeGreaterThan(40)
    expect(requests.flatMap(({ schema, body }) => objectionsTo(body, schema))).toEqual([])
  })

  it('control: a long nonce, a long title and an unknown part are seen', () => {
    const { MessageCreateRequestSchema: request } = published
    expect(objectionsTo({ content: 'a', nonce: 'n'.repeat(25) }, request)).toEqual([])
    expect(objectionsTo({ content: 'a', nonce: 'n'.repeat(26) }, request)).toHaveLength(1)
    expect(objectionsTo({ embeds: [{ title: 't'.repeat(257) }] }, request)).toHaveLength(1)
    expect(objectionsTo({ content: 'a', client_msg_id: 'x' }, request)).toHaveLength(1)
    expect(objectionsTo({ id: '1', content: 'a' }, published.MessageResponseSchema)).not.toEqual([])
  })
})

/** Returns the schema of a request with a body; `undefined`: it is not one of a message. */
function schemaOf(request: string): Schema | undefined {
  if (/^POST .*\/threads$/.test(request)) return published.CreateTextThreadWithMessageRequestSchema
  if (/^POST .*\/messages$/.test(request)) return published.MessageCreateRequestSchema
  return /^PATCH .*\/messages\/\d+$/.test(request)
    ? published.MessageEditRequestPartialSchema
    : undefined
}
