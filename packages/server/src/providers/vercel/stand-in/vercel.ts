import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { Provider } from '../../../../../sandbox/src/http/provider.ts'
import { refuse } from './errors.ts'
import { projectRoutes } from './project-routes.ts'
import {
  newVercelId,
  storeVariable,
  type NewVariable,
  type VercelProject,
  type VercelState,
  type VercelVariable,
} from './state.ts'

/** Describes the pretended Vercel: a team, a token, and projects with environment variables. */
export interface Vercel extends Provider {
  readonly name: 'vercel'
  readonly team: VercelState['team']
  /** Holds a token whose scope is the team. */
  readonly token: string
  addProject(name: string): VercelProject
  addVariable(project: VercelProject, variable: NewVariable): VercelVariable
  /** Deletes the token, as its owner does on Vercel's pages. */
  deleteToken(): void
}

/** Creates the pretended Vercel. */
export function createVercel({ clock }: { readonly clock: Clock }): Vercel {
  const token = newVercelId('vcp_')
  const team = { id: newVercelId('team_'), slug: 'acme' }
  const state: VercelState = { clock, team, tokens: new Set([token]), projects: new Map() }
  return {
    name: 'vercel',
    mounts: [
      {
        prefix: '/vercel/api',
        routes: projectRoutes(state),
        unknown: () => refuse(404, 'not_found', 'The requested API endpoint was not found.'),
      },
    ],
    team,
    token,
    addProject(name) {
      const project = { id: newVercelId('prj_'), name, variables: new Map() }
      state.projects.set(project.id, project)
      return project
    },
    addVariable: (project, variable) => storeVariable(state, project, variable),
    deleteToken: () => void state.tokens.delete(token),
    reset() {
      state.projects.clear()
      state.tokens.add(token)
    },
  }
}
