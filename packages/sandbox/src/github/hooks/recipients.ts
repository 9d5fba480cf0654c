import type { GithubEvent } from '../emit.ts'
import { covers } from '../access/reach.ts'
import type { GithubApp, GithubInstallation, GithubState } from '../state.ts'

/** Describes an app that receives an event, and the installation it receives it for. `undefined`: for the app itself. */
export interface Recipient {
  readonly app: GithubApp
  readonly installationId: number | undefined
}

/** Lists the events that every app receives, subscribed or not. */
const eventsOfEveryApp: ReadonlySet<string> = new Set([
  'github_app_authorization',
  'installation',
  'installation_repositories',
  'ping',
])

/**
 * Returns the recipients of an event: the app that it names, or every app that subscribes to it and has an
 * installation, not suspended, that reaches the repository.
 */
export function recipientsOf(state: GithubState, event: GithubEvent): readonly Recipient[] {
  if (event.appId !== undefined) {
    const app = state.apps.get(event.appId)
    return app === undefined ? [] : [{ app, installationId: event.installationId }]
  }
  return [...state.installations.values()]
    .filter((installation) => isAbout(event, installation))
    .flatMap((installation) => {
      const app = state.apps.get(installation.appId)
      const isSubscribed = app !== undefined && listens(app, event.name)
      return isSubscribed ? [{ app, installationId: installation.id }] : []
    })
}

function isAbout(event: GithubEvent, installation: GithubInstallation): boolean {
  if (installation.suspendedAt !== undefined) return false
  const { installationId, repository } = event
  if (installationId !== undefined && installationId !== installation.id) return false
  if (repository === undefined) return installationId !== undefined
  return covers(installation, repository)
}

function listens({ events }: GithubApp, name: string): boolean {
  return eventsOfEveryApp.has(name) || events.includes(name)
}
