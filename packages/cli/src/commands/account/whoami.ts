import { defineCommand } from '../../action.ts'
import type { Session } from '../../session.ts'
import { renderTable } from '../../terminal/table.ts'
import { describeIdentity } from '../../api/describe-identity.ts'

async function whoAmI(session: Session): Promise<void> {
  const { output } = session
  const api = await session.api()
  const identity = await session.progress('Asking the server', () => api.whoAmI())
  const source = (await session.findToken())?.source ?? ''
  output.document({ server: api.serverUrl, tokenFrom: source, ...identity })
  const restricted = [
    ['environments', identity.environmentIds],
    ['schemas', identity.schemaIds],
  ] as const
  output.data(
    renderTable([
      ['you', describeIdentity(identity)],
      ['server', api.serverUrl],
      ['token', `from ${source}`],
      ...restricted.flatMap(([name, ids]) => (ids === null ? [] : [[name, ids.join(', ')]])),
    ]),
  )
}

/** Defines `signalbox whoami`. */
export const whoamiCommand = defineCommand({
  about: 'Asks the server for the owner of the token and its access.',
  examples: ['signalbox whoami', 'signalbox whoami --json'],
  run: whoAmI,
})
