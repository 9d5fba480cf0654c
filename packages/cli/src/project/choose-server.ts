import type { ProjectLocation } from './find-project.ts'
import { nameVariable } from './name-variable.ts'
import { defaultServerUrl, parseServerUrl } from './server-url.ts'

type Env = Readonly<Partial<Record<string, string>>>

/** Holds the address of a server, and the source that names it. */
export interface ServerChoice {
  readonly url: string
  /** Names the kind of source. `user` is a flag or the environment. */
  readonly namedBy: 'user' | 'project' | 'default'
  /** Names the flag, variable or file for people. */
  readonly source: string
}

/** Names the source of an address that nobody has named. */
export const defaultSource = 'the default'

interface ServerSources {
  readonly flag: string | undefined
  readonly env: Env
  readonly location: ProjectLocation | undefined
  /** Lists the servers that the user is signed in to. */
  readonly known: () => Promise<readonly string[]>
}

/**
 * Returns the server: the flag, then SIGNALBOX_URL, then the project file, then the only one that the user is signed
 * in to, then the default on this machine.
 */
export async function chooseServer({
  flag,
  env,
  location,
  known,
}: ServerSources): Promise<ServerChoice> {
  const userChoices = [
    [flag, '--server'],
    [env['SIGNALBOX_URL'], 'SIGNALBOX_URL'],
  ] as const
  for (const [text, source] of userChoices) {
    if (text !== undefined && text !== '') {
      return { url: parseServerUrl(text, source), namedBy: 'user', source }
    }
  }
  if (location?.project.server !== undefined) {
    const url = parseServerUrl(location.project.server, location.path)
    return { url, namedBy: 'project', source: location.path }
  }
  const [only, second] = await known()
  return only === undefined || second !== undefined
    ? { url: defaultServerUrl, namedBy: 'default', source: defaultSource }
    : { url: only, namedBy: 'default', source: 'signalbox login' }
}

/** Names what to change for another server: the flag, variable or file that names this one, else what would win over it. */
export function nameServerSource({ namedBy, source }: ServerChoice, env: Env): string {
  return namedBy === 'default' ? 'SIGNALBOX_URL' : nameVariable(source, env)
}
