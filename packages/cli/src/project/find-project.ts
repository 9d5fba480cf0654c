import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exists } from './exists.ts'
import { assertTrusted, type Trust } from './file-owner.ts'
import { parseProjectFile, projectFileName, type ProjectFile } from './project-file.ts'

/** Holds a project file with its directory. */
export interface ProjectLocation {
  readonly path: string
  readonly directory: string
  readonly project: ProjectFile
}

/** Describes where the search for a project file begins and ends. */
export interface ProjectSearch {
  readonly from: string
  readonly home: string
  readonly trust: Trust
}

/**
 * Finds the project file of a directory or of the nearest one above it. It stops at the root of the repository or at
 * the home directory: files further up belong to no project of the user.
 *
 * @throws {CliError} `foreign_file`, `project_file`
 */
export async function findProject(search: ProjectSearch): Promise<ProjectLocation | undefined> {
  for (let directory = search.from; ; directory = dirname(directory)) {
    const path = join(directory, projectFileName)
    if (await exists(path)) {
      await assertTrusted(path, search.trust)
      return { path, directory, project: parseProjectFile(await readFile(path, 'utf8'), path) }
    }
    const isLast = directory === search.home || directory === dirname(directory)
    if (isLast || (await exists(join(directory, '.git')))) return undefined
  }
}
