import type { MessageAttachment } from '@mattermost/types/message_attachments'
import type { PostList } from '@mattermost/types/posts'
import { readJson } from '../../../../../sandbox/src/http/fields.ts'
import { route, type Answer } from '../../../../../sandbox/src/http/route.ts'
import type { AsUser } from './as-user.ts'
import { json, noChannel, refuse, refusePermission } from './errors.ts'
import { presentPost } from './objects.ts'
import { addPost, editPost, type MattermostPost, type MattermostState } from './state.ts'

/** Limits how long a node remembers a pending post. @see server/channels/app/post.go of Mattermost */
const pendingMs = 30_000
const messageRunesMax = 16_383
const propsRunesMax = 800_000
/** Lists at most so many posts since a moment, in no order. */
const sinceMax = 1_000

const attachmentParts: ReadonlySet<string> = new Set<keyof MessageAttachment>([
  'fallback',
  'color',
  'pretext',
  'author_name',
  'author_link',
  'author_icon',
  'title',
  'title_link',
  'text',
  'fields',
  'image_url',
  'thumb_url',
  'footer',
  'footer_icon',
  'actions',
])

type Body = Readonly<Record<string, unknown>>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function createPostRoutes(state: MattermostState, asUser: AsUser) {
  return [
    route(
      'POST /posts',
      asUser((request, user) => createPost(state, user.id, readJson(request))),
    ),
    route(
      'GET /posts/:post',
      asUser(({ params }) => {
        const post = findPost(state, params['post'])
        return post === undefined ? noPost() : json(presentPost(post))
      }),
    ),
    route(
      'DELETE /posts/:post',
      asUser(({ params }, user) => {
        const post = findPost(state, params['post'])
        if (post?.userId !== user.id) return refusePermission()
        deletePost(state, post)
        return json({ status: 'OK' })
      }),
    ),
    route(
      'PUT /posts/:post/patch',
      asUser((request, user) => {
        const post = findPost(state, request.params['post'])
        // A post that was deleted is one that nobody may edit.
        if (post?.userId !== user.id) return refusePermission()
        return patchPost(state, post, readJson(request))
      }),
    ),
    route(
      'GET /channels/:channel/posts',
      asUser(({ params, query }, user) => {
        const channel = state.channels.get(params['channel'] ?? '')
        if (channel === undefined) return noChannel()
        if (!channel.members.has(user.id) && channel.type === 'P') return refusePermission()
        return json(listPosts(state, channel.id, Number(query.get('since') ?? 0)))
      }),
    ),
  ] as const
}

function noPost(): Answer {
  return refuse(404, 'app.post.get.app_error', 'Unable to get the post.')
}

/** Marks a post as deleted, which stays in the table. */
export function deletePost({ clock }: MattermostState, post: MattermostPost): void {
  const at = clock.now().getTime()
  Object.assign(post, { deletedAt: at, updatedAt: at })
}

function findPost({ posts }: MattermostState, id = ''): MattermostPost | undefined {
  const post = posts.get(id)
  return post === undefined || post.deletedAt !== 0 ? undefined : post
}

function createPost(state: MattermostState, userId: string, body: Body): Answer {
  const channel = state.channels.get(textOf(body['channel_id']))
  if (channel === undefined || !channel.members.has(userId) || channel.isReadOnly) {
    return refusePermission()
  }
  if (channel.deletedAt !== 0) {
    return refuse(400, 'api.post.create_post.can_not_post_to_deleted.error')
  }
  const node = state.nextNode()
  const pendingId = textOf(body['pending_post_id'])
  const known = findPending(state, node, pendingId)
  if (known !== undefined) return known
  const message = textOf(body['message'])
  const refused = checkContent(message, body['props']) ?? checkRoot(state, channel.id, body)
  if (refused !== undefined) return refused
  const rootId = textOf(body['root_id'])
  const props = { ...recordOf(body['props']), from_bot: 'true' }
  const post = addPost(state, { userId, channelId: channel.id, rootId, message, props })
  if (pendingId !== '') {
    node.set(pendingId, { postId: post.id, until: state.clock.now().getTime() + pendingMs })
  }
  return json(presentPost(post, pendingId), 201)
}

/** Answers a pending post that the node has seen: with the post that it became, or that it is not ready. */
function findPending(
  state: MattermostState,
  node: ReturnType<MattermostState['nextNode']>,
  pendingId: string,
): Answer | undefined {
  const known = node.get(pendingId)
  if (known === undefined || known.until <= state.clock.now().getTime()) return undefined
  if (known.postId === '') return refuse(500, 'api.post.deduplicate_create_post.pending')
  const post = findPost(state, known.postId)
  return post === undefined
    ? refuse(500, 'api.post.deduplicate_create_post.failed_to_get')
    : json(presentPost(post), 201)
}

function recordOf(value: unknown): Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
}

function checkContent(message: string, props: unknown): Answer | undefined {
  if (Array.from(message).length > messageRunesMax) {
    return refuse(400, 'model.post.is_valid.message_length.app_error')
  }
  if (Array.from(JSON.stringify(props ?? {})).length > propsRunesMax) {
    return refuse(400, 'model.post.is_valid.props.app_error')
  }
  const { attachments } = recordOf(props)
  if (attachments === undefined) return undefined
  const isKnown =
    Array.isArray(attachments) &&
    attachments.every((each) =>
      Object.keys(recordOf(each)).every((part) => attachmentParts.has(part)),
    )
  // The real one drops what it does not know, and a test would not see it.
  return isKnown ? undefined : refuse(400, 'sandbox.unknown_attachment')
}

function checkRoot({ posts }: MattermostState, channelId: string, body: Body): Answer | undefined {
  const rootId = textOf(body['root_id'])
  if (rootId === '') return undefined
  const root = posts.get(rootId)
  const isRoot = root?.channelId === channelId && root.rootId === '' && root.deletedAt === 0
  return isRoot ? undefined : refuse(400, 'api.post.create_post.root_id.app_error')
}

function patchPost(state: MattermostState, post: MattermostPost, body: Body): Answer {
  const { postEditTimeLimit: limit } = state.settings
  const isOver = state.clock.now().getTime() > post.createdAt + limit * 1_000
  if (limit !== -1 && isOver) {
    return refuse(400, 'api.post.update_post.permissions_time_limit.app_error')
  }
  if ((state.channels.get(post.channelId)?.deletedAt ?? 0) !== 0) {
    return refuse(400, 'api.post.update_post.can_not_update_post_in_deleted.error')
  }
  const message = typeof body['message'] === 'string' ? body['message'] : post.message
  const refused = checkContent(message, body['props'])
  if (refused !== undefined) return refused
  // Properties that are sent take the place of all there are.
  const props = body['props'] === undefined ? post.props : recordOf(body['props'])
  editPost(state, post, { message, props })
  return json(presentPost(post))
}

/** Lists every row that changed: deleted posts and earlier texts too, ordered by their ids, which say nothing. */
function listPosts({ posts }: MattermostState, channelId: string, since: number): PostList {
  const changed = [...posts.values()]
    .filter((post) => post.channelId === channelId && post.updatedAt > since)
    .toSorted((one, other) => one.id.localeCompare(other.id))
    .slice(0, sinceMax)
  return {
    order: changed.filter(({ deletedAt }) => deletedAt === 0).map(({ id }) => id),
    posts: Object.fromEntries(changed.map((post) => [post.id, presentPost(post)])),
    next_post_id: '',
    prev_post_id: '',
    first_inaccessible_post_time: 0,
  }
}
