import type { GitlabCommit, GitlabProject, GitlabState } from '../state.ts'
import { projectUrl } from './project.ts'

/** Returns the abbreviation of a commit's id: eight digits. */
export function shortOf(sha: string): string {
  return sha.slice(0, 8)
}

/** Returns the first line of a commit's message. */
export function titleOf({ message }: GitlabCommit): string {
  return message.split('\n')[0] ?? ''
}

/** Returns a commit as the API shows one. It names no files. */
export function toCommit(
  at: Pick<GitlabState, 'baseUrl'>,
  project: GitlabProject,
  commit: GitlabCommit,
) {
  const { sha: id, author, message, parents } = commit
  const time = commit.at.toISOString()
  return {
    id,
    short_id: shortOf(id),
    created_at: time,
    parent_ids: parents,
    title: titleOf(commit),
    message,
    author_name: author.name,
    author_email: author.email,
    authored_date: time,
    committer_name: author.name,
    committer_email: author.email,
    committed_date: time,
    trailers: {},
    extended_trailers: {},
    web_url: `${projectUrl(at, project)}/-/commit/${id}`,
  }
}
