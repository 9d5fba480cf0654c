import { z } from 'zod'
import type { ChannelCheck, ChatChannel, ChatDirectory } from '../chat/chat.ts'
import { ProviderError } from '../provider-error.ts'
import type { AskMattermost } from './api-call.ts'
import { archivedChannel, missingChannel, noPermission, notInTeam } from './errors.ts'

const team = z.object({
  id: z.string(),
  display_name: z.string(),
  delete_at: z.number().default(0),
})
const teams = z.array(team)
const channel = z.object({
  id: z.string(),
  team_id: z.string().default(''),
  type: z.string(),
  display_name: z.string(),
  delete_at: z.number().default(0),
})
const channels = z.array(channel)

type Team = z.infer<typeof team>
type Channel = z.infer<typeof channel>

/** Holds the largest page that Mattermost gives. */
const perPage = 200
/** Asks so often for one list, so that a server of many teams is asked in steps. */
const callsMax = 12

/** Answers questions about the teams and channels that a bot sees. A channel is in a team, and is named with it. */
export function createDirectory(ask: AskMattermost): ChatDirectory {
  const listTeams = async () =>
    (await ask({ path: '/users/me/teams', answer: teams }))
      .filter(({ delete_at }) => delete_at === 0)
      .toSorted((one, other) => one.display_name.localeCompare(other.display_name))
  const read = async (channelId: string) => readChannel(ask, channelId)
  return {
    coverage: {
      isWhole: true,
      notes: [
        'If a channel is missing, add the bot to its team in Mattermost, and to the channel if that is private.',
      ],
    },
    async listChannels({ page, limit }) {
      const all = await listTeams()
      let at = startOf(all, page)
      const listed: ChatChannel[] = []
      for (
        let calls = 1;
        at !== undefined && calls < callsMax && listed.length < limit;
        calls += 2
      ) {
        const of = at.team
        const { items, isLast } = await listTeam(ask, of, at.page)
        listed.push(...items)
        const next = all[all.indexOf(of) + 1]
        at = isLast ? next && { team: next, page: 0 } : { team: of, page: at.page + 1 }
      }
      return { channels: listed, nextPage: at && `${at.team.id}.${at.page}` }
    },
    async findChannel(channelId) {
      const current = await read(channelId)
      return current === undefined ? undefined : toChannel(current, await listTeams())
    },
    async checkChannel(channelId) {
      const current = await read(channelId)
      return current === undefined ? missing : checkFound(current, await listTeams())
    },
    async checkAccess() {
      await ask({ path: '/users/me', answer: z.looseObject({}) })
    },
  }
}

interface Position {
  readonly team: Team
  readonly page: number
}

/** @throws {ProviderError} `invalid_cursor` where the bot has left the team meanwhile. */
function startOf(all: readonly Team[], page: string | undefined): Position | undefined {
  if (page === undefined) return all[0] && { team: all[0], page: 0 }
  const [id, number] = page.split('.')
  const current = all.find((each) => each.id === id)
  if (current === undefined) {
    throw new ProviderError({ provider: 'mattermost', failure: 'rejected', code: 'invalid_cursor' })
  }
  return { team: current, page: Number(number) }
}

/** Lists the channels of a team that the bot is in, private and archived ones too, and then the public ones that it is not in. */
async function listTeam(
  ask: AskMattermost,
  of: Team,
  page: number,
): Promise<{ readonly items: readonly ChatChannel[]; readonly isLast: boolean }> {
  const id = encodeURIComponent(of.id)
  const own = await ask({
    path: `/users/me/teams/${id}/channels?include_deleted=true`,
    answer: channels,
  })
  const path = `/teams/${id}/channels?page=${page}&per_page=${perPage}`
  const open = await ask({ path, answer: channels })
  const ownIds = new Set(own.map((each) => each.id))
  const others = open.filter((each) => !ownIds.has(each.id))
  const visible = [
    ...(page === 0 ? own : []).map((each) => ({ ...each, isMember: true })),
    ...others.map((each) => ({ ...each, isMember: false })),
  ]
  return {
    items: visible.filter(isChannel).map((each) => toChannel(each, [of])),
    isLast: open.length < perPage,
  }
}

/** Direct messages are channels as well. */
function isChannel({ type }: Pick<Channel, 'type'>): boolean {
  return type === 'O' || type === 'P'
}

interface ChannelOfBot extends Channel {
  readonly isMember: boolean
}

function toChannel(
  { id, type, team_id, isMember, ...of }: ChannelOfBot,
  all: readonly Team[],
): ChatChannel {
  const name = all.find((each) => each.id === team_id)?.display_name
  return {
    id,
    name: name === undefined ? of.display_name : `${name} / ${of.display_name}`,
    isPrivate: type !== 'O',
    isMember,
    isArchived: of.delete_at !== 0,
  }
}

/** The ids of Mattermost. Anything else would be another address. */
const idPattern = /^[a-z0-9]{1,64}$/

async function readChannel(
  ask: AskMattermost,
  channelId: string,
): Promise<ChannelOfBot | undefined> {
  if (!idPattern.test(channelId)) return undefined
  const path = `/channels/${channelId}`
  const current = await unlessHidden(ask({ path, answer: channel }))
  if (current === undefined || !isChannel(current)) return undefined
  const member = await unlessHidden(ask({ path: `${path}/members/me`, answer: z.looseObject({}) }))
  return { ...current, isMember: member !== undefined }
}

/** `undefined`: it is not there, or not for the bot. */
async function unlessHidden<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const isHidden =
      error instanceof ProviderError &&
      (error.failure === 'notFound' || error.failure === 'forbidden')
    if (isHidden) return undefined
    throw error
  }
}

const missing: ChannelCheck = { name: null, refusedWith: missingChannel }

function checkFound(current: ChannelOfBot, all: readonly Team[]): ChannelCheck {
  const { name, isArchived, isMember, isPrivate } = toChannel(current, all)
  if (isArchived) return { name, refusedWith: archivedChannel }
  if (isMember) return { name, refusedWith: null }
  if (all.every(({ id }) => id !== current.team_id)) return { name, refusedWith: notInTeam }
  // A public one is joined before the first message.
  return { name, refusedWith: isPrivate ? noPermission : null }
}
