type Environment = Readonly<Partial<Record<string, string>>>

/** Describes the run of a pipeline, as far as its variables name it. */
export interface Pipeline {
  /** Example: `acme/shop`. */
  readonly repository?: string | undefined
  readonly sha?: string | undefined
  /** Names the branch or tag. */
  readonly ref?: string | undefined
  /** Says that `ref` is a tag. */
  readonly isTag?: boolean
  /** Names the run. It is the same in all of its steps. */
  readonly runId?: string | undefined
  /** Counts the repeats of the run, from 1, where the pipeline says so. */
  readonly attempt?: string | undefined
  /** Holds the page of the run, where its jobs are to report to one test run. */
  readonly url?: string | undefined
  /** Holds the page of the run. */
  readonly page?: string | undefined
}

function pageOfActions(env: Environment): string {
  return `${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}`
}

/** Lists the variables of each kind of pipeline. The first that `when` holds for counts. */
const pipelines: readonly {
  readonly when: (env: Environment) => boolean
  readonly read: (env: Environment) => Pipeline
}[] = [
  {
    // GitHub Actions, and those of Forgejo and Gitea, which set the same variables.
    when: (env) =>
      [env['GITHUB_ACTIONS'], env['FORGEJO_ACTIONS'], env['GITEA_ACTIONS']].includes('true'),
    read: (env) => ({
      repository: env['GITHUB_REPOSITORY'],
      sha: env['GITHUB_SHA'],
      ref: env['GITHUB_REF_NAME'],
      isTag: env['GITHUB_REF_TYPE'] === 'tag',
      runId: env['GITHUB_RUN_ID'],
      attempt: env['GITHUB_RUN_ATTEMPT'],
      url: pageOfActions(env),
      page: env['GITHUB_SERVER_URL'] && pageOfActions(env),
    }),
  },
  {
    when: (env) => env['GITLAB_CI'] === 'true',
    read: (env) => ({
      repository: env['CI_PROJECT_PATH'],
      sha: env['CI_COMMIT_SHA'],
      ref: env['CI_COMMIT_REF_NAME'],
      isTag: (env['CI_COMMIT_TAG'] ?? '') !== '',
      runId: env['CI_PIPELINE_ID'],
      page: env['CI_PIPELINE_URL'],
    }),
  },
  {
    when: (env) => env['CI'] === 'woodpecker',
    read: (env) => ({
      repository: env['CI_REPO'],
      sha: env['CI_COMMIT_SHA'],
      ref: env['CI_COMMIT_TAG'] || env['CI_COMMIT_BRANCH'],
      isTag: (env['CI_COMMIT_TAG'] ?? '') !== '',
      runId: env['CI_PIPELINE_NUMBER'],
      page: env['CI_PIPELINE_URL'],
    }),
  },
]

/** Returns what the variables of a pipeline say. Outside of one it is empty. */
export function readPipeline(env: Environment): Pipeline {
  return pipelines.find(({ when }) => when(env))?.read(env) ?? {}
}
