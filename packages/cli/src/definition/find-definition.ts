import { join, relative, resolve } from 'node:path'
import { exists } from '../project/exists.ts'
import { assertTrusted } from '../project/file-owner.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Lists the names of a definition file, in the order in which they are tried. */
export const definitionNames = [
  'signalbox.config.ts',
  'signalbox.config.mts',
  'signalbox.config.js',
  'signalbox.config.mjs',
] as const

/**
 * Returns the path of the definition file, or `undefined` when the project has none. Reading the file runs it, so a
 * file that the command line does not name must belong to a trusted user.
 *
 * @throws {CliError} `definition_not_found`, `foreign_file`
 */
export async function findDefinition(session: Session): Promise<string | undefined> {
  const path = await locateDefinition(session)
  if (path !== undefined && session.flags.config === undefined) {
    await assertTrusted(path, await session.trust())
  }
  return path
}

async function locateDefinition(session: Session): Promise<string | undefined> {
  if (session.flags.config !== undefined) {
    const path = resolve(session.cwd, session.flags.config)
    if (await exists(path)) return path
    throw new CliError('usage', 'definition_not_found', `There is no file ${session.flags.config}.`)
  }
  const location = await session.project()
  if (location?.project.config !== undefined) {
    const path = resolve(location.directory, location.project.config)
    if (await exists(path)) return path
    throw new CliError(
      'usage',
      'definition_not_found',
      `${location.path} names ${location.project.config}, which does not exist.`,
    )
  }
  for (const directory of new Set([session.cwd, location?.directory ?? session.cwd])) {
    for (const name of definitionNames) {
      const path = join(directory, name)
      if (await exists(path)) return path
    }
  }
  return undefined
}

/** Returns the path of the definition file. @throws {CliError} `definition_not_found` */
export async function getDefinitionPath(session: Session): Promise<string> {
  const path = await findDefinition(session)
  if (path !== undefined) return path
  throw new CliError('usage', 'definition_not_found', `There is no ${definitionNames[0]} here.`, {
    advice: 'signalbox init, or name the file: --config <file>',
  })
}

/** Returns a path for people: relative to the working directory when it is below. */
export function displayPath(session: Session, path: string): string {
  const relativePath = relative(session.cwd, path)
  return relativePath === '' || relativePath.startsWith('..') ? path : relativePath
}
