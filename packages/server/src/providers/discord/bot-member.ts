import { z } from 'zod'
import { callDiscord, type DiscordCall } from './api-call.ts'
import type { BotMember } from './permissions.ts'

const bits = z.string().regex(/^\d{1,40}$/)
const user = z.object({ id: z.string() })
const member = z.object({ roles: z.array(z.string()) })
const roles = z.array(z.object({ id: z.string(), permissions: bits }))

/** Reads who the bot is in a server, and what its roles allow. @throws {ProviderError} */
export async function readBotMember(call: DiscordCall, guildId: string): Promise<BotMember> {
  const { id: userId } = await callDiscord(call, { path: '/users/@me', answer: user })
  const [{ roles: roleIds }, all] = await Promise.all([
    callDiscord(call, { path: `/guilds/${guildId}/members/${userId}`, answer: member }),
    callDiscord(call, { path: `/guilds/${guildId}/roles`, answer: roles }),
  ])
  return { guildId, userId, roleIds, roles: all }
}
