import type { FoundProject } from './find-project.ts'
import { defaultServerUrl, parseServerUrl } from './server-url.ts'

export interface ServerChoice {
  readonly url: string
  /** `user` is a flag or the environment. */
  readonly namedBy: 'user' | 'project' | 'default'
  /** The flag, variable or file, as a person reads it. */
  readonly source: string
}

/** The server: the flag, then SIGNALBOX_URL, then the project file, then the default on this machine. */
export function chooseServer(
  flag: string | undefined,
  env: Readonly<Partial<Record<string, string>>>,
  found: FoundProject | undefined,
): ServerChoice {
  const told = [
    [flag, '--server'],
    [env['SIGNALBOX_URL'], 'SIGNALBOX_URL'],
  ] as const
  for (const [text, source] of told) {
    if (text !== undefined && text !== '') {
      return { url: parseServerUrl(text, source), namedBy: 'user', source }
    }
  }
  if (found?.project.server === undefined) {
    return { url: defaultServerUrl, namedBy: 'default', source: 'the default' }
  }
  const url = parseServerUrl(found.project.server, found.path)
  return { url, namedBy: 'project', source: found.path }
}
