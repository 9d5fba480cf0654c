import type { SchemaFlags, Surroundings } from '../cli-context.ts'
import { openSession, type Session } from '../session.ts'
import { openOrganization, openSchema } from '../target.ts'
import type { KnownNames } from './propose.ts'

/** Limits how long a person waits for the names. */
const patienceMs = 1_500

/** Asks the server for names, with the token that a command would use. A request that fails or takes long proposes nothing. */
export function askServer(words: readonly string[], surroundings: Surroundings): KnownNames {
  const session = openSession({ json: true, ...flagsOf(words) }, surroundings)
  return {
    environments: () => orEmpty(listNames(session, 'environments')),
    segments: () => orEmpty(listNames(session, 'segments')),
    webhooks: () => orEmpty(listNames(session, 'outgoingWebhooks')),
    targets: () => orEmpty(listNames(session, 'targets')),
    apiKeys: () => orEmpty(listNames(session, 'apiKeys')),
    agentTokens: () => orEmpty(listNames(session, 'agentTokens')),
    groups: () => orEmpty(listNames(session, 'groups')),
    keys: () => orEmpty(listKeys(session)),
  }
}

async function listNames(
  session: Session,
  list:
    | 'environments'
    | 'segments'
    | 'outgoingWebhooks'
    | 'targets'
    | 'apiKeys'
    | 'agentTokens'
    | 'groups',
): Promise<string[]> {
  const { api, organization } = await openOrganization(session)
  return (await api[list](organization.id)).map(({ name }) => name)
}

async function listKeys(session: Session) {
  const { schema } = await openSchema(session)
  return Object.entries(schema.schema).map(([word, { tier, type, description = '' }]) => ({
    word,
    brief: [tier === 'featureFlags' ? 'flag' : `${tier} ${type}`, description.split('\n', 1)[0]]
      .filter((part) => part !== '')
      .join(': '),
  }))
}

async function orEmpty<T>(work: Promise<readonly T[]>): Promise<readonly T[]> {
  const late = new Promise<readonly T[]>((resolve) => {
    setTimeout(resolve, patienceMs, []).unref()
  })
  return Promise.race([work.catch(() => []), late])
}

/** Returns the flags that select the server and the project, as far as they are typed. */
function flagsOf(words: readonly string[]): SchemaFlags {
  const flags: Record<string, string> = {}
  for (const [index, word] of words.entries()) {
    const [, name, assigned] = /^--(cwd|server|profile|schema)(?:=(.*))?$/.exec(word) ?? []
    const value = assigned ?? words[index + 1]
    if (name !== undefined && value !== undefined) flags[name] = value
  }
  return flags
}
