import { defaultSource } from './project/choose-server.ts'
import { parseServerUrl } from './project/server-url.ts'
import { openSession, type Session } from './session.ts'

/** Returns a session with the configured server. Without one it asks the person, unless nobody can be asked. */
export async function askForServer(session: Session): Promise<Session> {
  const { url, namedBy, source } = await session.server()
  if (namedBy !== 'default' || session.prompts.blockedBy !== undefined || session.flags.yes) {
    return session
  }
  const origin = source === defaultSource ? ' (proposed: where signalbox start listens)' : ''
  const answer = await session.prompts.text(`Address of the server${origin}`, { initial: url })
  const server = parseServerUrl(answer.trim() === '' ? url : answer, 'your answer')
  return openSession({ ...session.flags, server })
}
