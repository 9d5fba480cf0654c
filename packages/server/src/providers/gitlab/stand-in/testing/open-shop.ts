import type { Sandbox } from '../../../../../../sandbox/src/sandbox.ts'
import type { GitlabProject, GitlabUser } from '../state.ts'

/** A project with an owner, for tests. */
export interface TestShop {
  readonly project: GitlabProject
  readonly ada: GitlabUser
  /** Deploys a new commit. */
  readonly deploy: (environment: string) => ReturnType<Sandbox['gitlab']['activity']['deploy']>
}

/** Adds a project `acme/shop`. */
export function openShop({ gitlab }: Sandbox, fullPath = 'acme/shop'): TestShop {
  const project = gitlab.activity.addProject({ fullPath })
  const ada = gitlab.state.users.get('ada')
  if (ada === undefined) throw new Error('There is no ada.')
  return {
    project,
    ada,
    deploy(environment) {
      const pipeline = gitlab.activity.startPipeline(project, { ref: 'main', user: ada })
      return gitlab.activity.deploy(project, { ref: 'main', environment, user: ada, pipeline })
    },
  }
}
