import { z } from 'zod'
import type { ChatEvent } from '../chat/chat.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'

const envelope = z.object({ event: z.object({ type: z.string() }) })

const reasons = new Map([
  [
    'APPLICATION_AUTHORIZED',
    'Somebody added the bot to a server. Connecting it here is a step of its own.',
  ],
  [
    'APPLICATION_DEAUTHORIZED',
    'Discord names only the person who withdrew the application, and no server. The next call shows whether the bot is still there.',
  ],
])

/** Reads what an event of Discord tells us. None of them names a server that has lost the bot, so each is shown and changes nothing. */
export function parseDiscordEvent(body: Buffer): ChatEvent {
  const payload = readForeignJson(body)
  if (payload === undefined) return { type: 'ignored', reason: 'The body is not valid JSON.' }
  const type = envelope.safeParse(payload).data?.event.type
  if (type === undefined) return { type: 'ignored', reason: 'The body contains no event.' }
  return {
    type: 'ignored',
    reason: reasons.get(type) ?? 'Signalbox doesn’t use this event.',
  }
}
