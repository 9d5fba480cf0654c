import { Client4 } from '@mattermost/client'
import type { Channel } from '@mattermost/types/channels'
import type { Post } from '@mattermost/types/posts'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'

const sandbox = await openSandbox()
let client: Client4
beforeEach(() => {
  client = clientWith(sandbox.mattermost.botToken)
})

// Sends a POST once, whatever is answered (`providers/testing/repeating-clients.test.ts`).
function clientWith(token: string): Client4 {
  const created = new Client4()
  created.setUrl(sandbox.addresses.mattermost)
  created.setToken(token)
  return created
}

// The client asks for all that a post has; the server fills in the rest.
const post = (of: Partial<Post>) => client.createPost(of as Post)
const channelId = (name: string) => sandbox.mattermost.channelId(name)
const refused = (status_code: number, server_error_id: string) =>
  expect.objectContaining({ status_code, server_error_id })

describe('the official client', () => {
  it('learns who it is, and in which teams', async () => {
    expect(await client.getMe()).toMatchObject({ username: 'signalbox', is_bot: true })
    const teams = await client.getMyTeams()
    expect(teams.map(({ display_name }) => display_name)).toEqual(['Acme', 'Platform'])
  })

  it('lists its channels, and the public ones of a team', async () => {
    const [acme] = await client.getMyTeams()
    const named = (channels: readonly Channel[]) => channels.map(({ display_name }) => display_name)
    expect(named(await client.getMyChannels(acme?.id ?? ''))).toEqual(['Town Square'])
    const open = await client.getChannels(acme?.id ?? '')
    expect(named(open)).toEqual(['Town Square', 'Deployments'])
  })

  it('joins a public channel, and no private one', async () => {
    const { id } = await client.getMe()
    await client.addToChannel(id, channelId('Deployments'))
    await post({ channel_id: channelId('Deployments'), message: 'Hello' })
    await expect(client.addToChannel(id, channelId('Releases'))).rejects.toEqual(
      refused(403, 'api.context.permissions.app_error'),
    )
  })

  it('sees nothing of a team that it is not in', async () => {
    const teams = await clientWith(sandbox.mattermost.personToken).getMyTeams()
    const board = teams.find(({ display_name }) => display_name === 'Board')
    const { id } = await client.getMe()
    const forbidden = refused(403, 'api.context.permissions.app_error')
    await expect(client.getChannels(board?.id ?? '')).rejects.toEqual(forbidden)
    await expect(client.addToChannel(id, channelId('Minutes'))).rejects.toEqual(forbidden)
  })

  it('posts, edits and answers; an edit replaces every property, and keeps the earlier text as a row', async () => {
    const channel_id = channelId('Town Square')
    const { id } = await post({ channel_id, message: 'a', props: { mark: 'm' } })
    const edited = await client.patchPost({ id, props: { attachments: [{ text: 'b' }] } })
    expect(edited.props).toEqual({ attachments: [{ text: 'b' }] })
    const reply = await post({ channel_id, message: 'c', root_id: id })
    expect(reply.root_id).toBe(id)
    const { posts } = await client.getPostsSince(channel_id, 1)
    expect(Object.values(posts).filter(({ original_id }) => original_id === id)).toHaveLength(1)
    expect(Object.keys(posts)).toEqual(Object.keys(posts).toSorted())
  })

  it('gets the same post for the same pending id, for thirty seconds and of the same node', async () => {
    const given = { channel_id: channelId('Town Square'), message: 'a', pending_post_id: 'p' }
    const first = await post(given)
    expect(first.pending_post_id).toBe('p')
    sandbox.clock.advance(20_000)
    const second = await post(given)
    expect([second.id, second.pending_post_id]).toEqual([first.id, ''])
    sandbox.clock.advance(10_000)
    expect((await post(given)).id).not.toBe(first.id)
  })

  it('lists a thousand posts since a moment, and says nothing of more', async () => {
    for (let said = 0; said <= 1_000; said += 1) sandbox.mattermost.say('Town Square', 'x')
    const { posts } = await client.getPostsSince(channelId('Town Square'), 1)
    expect(Object.keys(posts)).toHaveLength(1_000)
  })

  it('gets another post of another node', async () => {
    sandbox.mattermost.nodes = 2
    const given = { channel_id: channelId('Town Square'), message: 'a', pending_post_id: 'p' }
    expect((await post(given)).id).not.toBe((await post(given)).id)
  })

  it('is told of a post that is still being saved, and of one that was deleted', async () => {
    const channel_id = channelId('Town Square')
    sandbox.mattermost.holdPending('held')
    await expect(post({ channel_id, pending_post_id: 'held' })).rejects.toEqual(
      refused(500, 'api.post.deduplicate_create_post.pending'),
    )
    const { id } = await post({ channel_id, pending_post_id: 'gone' })
    sandbox.mattermost.deleteMessage(id)
    await expect(post({ channel_id, pending_post_id: 'gone' })).rejects.toEqual(
      refused(500, 'api.post.deduplicate_create_post.failed_to_get'),
    )
    await expect(client.patchPost({ id, message: 'b' })).rejects.toEqual(
      refused(403, 'api.context.permissions.app_error'),
    )
    await expect(client.getPost(id)).rejects.toEqual(refused(404, 'app.post.get.app_error'))
  })

  it('is refused what the real server refuses', async () => {
    const channel_id = channelId('Town Square')
    await expect(post({ channel_id, message: 'x'.repeat(16_384) })).rejects.toEqual(
      refused(400, 'model.post.is_valid.message_length.app_error'),
    )
    await post({ channel_id, message: '👍'.repeat(16_383) })
    await expect(post({ channel_id, props: { a: 'x'.repeat(800_000) } })).rejects.toEqual(
      refused(400, 'model.post.is_valid.props.app_error'),
    )
    await expect(post({ channel_id, root_id: 'nowhere' })).rejects.toEqual(
      refused(400, 'api.post.create_post.root_id.app_error'),
    )
    const { id } = await post({ channel_id, message: 'a' })
    sandbox.mattermost.postEditTimeLimit = 10
    sandbox.clock.advance(10_001)
    await expect(client.patchPost({ id, message: 'b' })).rejects.toEqual(
      refused(400, 'api.post.update_post.permissions_time_limit.app_error'),
    )
    sandbox.mattermost.archive('Town Square')
    await expect(post({ channel_id, message: 'a' })).rejects.toEqual(
      refused(400, 'api.post.create_post.can_not_post_to_deleted.error'),
    )
    await expect(clientWith('nobody').getMe()).rejects.toEqual(
      refused(401, 'api.context.session_expired.app_error'),
    )
  })
})
