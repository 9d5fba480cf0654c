import { findCommit, listCommits } from '../../../../../sandbox/src/models/git.ts'
import type { GitlabCommit, GitlabProject } from './state.ts'

/**
 * Returns the commits of a name or of a range such as `v1..main`, newest first. `undefined`: git does not know one of
 * the names.
 */
export function listRange(project: GitlabProject, range: string): GitlabCommit[] | undefined {
  const [, without, tip] = /^(.+?)\.\.([^.].*)$/.exec(range) ?? [undefined, undefined, range]
  const newest = findCommit(project, tip ?? '')
  const oldest = without === undefined ? undefined : findCommit(project, without)
  if (newest === undefined || (without !== undefined && oldest === undefined)) return undefined
  const left = oldest === undefined ? [] : [oldest.sha]
  return listCommits(project, [newest.sha], left).toReversed()
}
