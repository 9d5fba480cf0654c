import { type CheckedOut, readCheckedOut } from '../project/git.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readPullRequestEvent } from './pull-request-event.ts'
import { type Pipeline, readPipeline } from './read-pipeline.ts'

/** Describes a commit as the server takes it. */
export interface Commit {
  readonly repository: string
  readonly sha: string
  /** Names the branch, or a tag as `refs/tags/…`. Left out where it is another repository's. */
  readonly ref?: string | undefined
}

/** Holds the flags that name a commit. */
export interface CommitFlags {
  readonly repository?: string | undefined
  readonly sha?: string | undefined
  readonly ref?: string | undefined
}

/**
 * Returns the commit that is checked out: what the flags say, then the pipeline, then git. Of a pull request it is the newest commit
 * of the proposal, where the pipeline runs a merge of it.
 *
 * @throws {CliError} `commit_incomplete`
 */
export async function readCommit(
  { cwd, env }: Pick<Session, 'cwd' | 'env'>,
  flags: CommitFlags,
): Promise<Commit> {
  const pipeline = readPipeline(env)
  const proposal = await readProposal(env)
  const { ref } = proposal ?? { ref: toFullRef(pipeline) }
  const sha = flags.sha ?? proposal?.sha ?? pipeline.sha
  const known = { repository: flags.repository ?? pipeline.repository, sha }
  const here = await readHere(cwd, known)
  return {
    repository: need(known.repository ?? here.repository, 'repository'),
    sha: need(known.sha ?? here.sha, 'sha'),
    ref: flags.ref ?? ref ?? here.branch,
  }
}

/** Returns the name of a branch, or the full name of a tag, so that nobody takes one for the other. */
function toFullRef({ ref, isTag = false }: Pipeline): string | undefined {
  return ref === undefined || !isTag ? ref : `refs/tags/${ref}`
}

/** Asks git for what nothing else has said. The branch is that of its commit, and of no other. */
async function readHere(
  cwd: string,
  { repository, sha }: CommitFlags,
): Promise<Partial<CheckedOut>> {
  if (repository !== undefined && sha !== undefined) return {}
  const { branch, ...here } = await readCheckedOut(cwd)
  return sha === undefined ? { ...here, branch } : here
}

interface Proposal {
  readonly sha: string | undefined
  readonly ref: string | undefined
}

type Variables = Session['env']

/** Returns the newest commit and the branch of the pull request that a pipeline is of. `undefined`: it is of none. */
export async function readProposal(env: Variables): Promise<Proposal | undefined> {
  const event = await readPullRequestEvent(env)
  if (event !== undefined)
    return { sha: event.headSha, ref: event.isFork ? undefined : event.headRef }
  const {
    CI_MERGE_REQUEST_IID: mergeRequest = '',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: sourceSha = '',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: sourceBranch,
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: sourceProject,
    CI_MERGE_REQUEST_PROJECT_ID: project,
    CI_COMMIT_PULL_REQUEST: pullRequest = '',
    CI_COMMIT_SOURCE_BRANCH: branch,
  } = env
  // GitLab's merges have the proposal's commit in a variable of its own.
  if (mergeRequest !== '')
    return {
      sha: sourceSha || env['CI_COMMIT_SHA'],
      ref: sourceProject === project ? sourceBranch : undefined,
    }
  // Woodpecker's branch of a pull request is the one that it leads to.
  return pullRequest === '' ? undefined : { sha: env['CI_COMMIT_SHA'], ref: branch }
}

function need(value: string | undefined, flag: 'repository' | 'sha'): string {
  if (value !== undefined && value !== '') return value
  const placeholder = flag === 'sha' ? 'commit' : 'name'
  throw new CliError('usage', 'commit_incomplete', `--${flag} is missing.`, {
    advice: `Use --${flag} <${placeholder}>. The command reads it in a pipeline that it knows, and of git.`,
  })
}
