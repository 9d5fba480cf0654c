import { defaultSource } from './project/choose-server.ts'
import { parseServerUrl } from './project/server-url.ts'
import { openSession, type Session } from './session.ts'

/** Returns a session with the configured server. Without one it asks the person, unless nobody can be asked. */
export async function askForServer(session: Session): Promise<Session> {
  const { url, namedBy, source } = await session.server()
  if (namedBy !== 'default' || session.prompts.blockedBy !== undefined || session.flags.yes) {
    return session
  }
  const origin = source === defaultSource ? ', where signalbox start listens' : ''
  const question = `Address of the server (Enter: ${url}${origin})`
  const answer = await session.prompts.text(question, { proposal: url })
  const flags = { ...session.flags, server: parseServerUrl(answer, 'your answer') }
  return openSession(flags, session.surroundings)
}
