import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { PriorityName, StatusName, TypeName } from './vocabulary.ts'

/** Describes an Atlassian account. */
export interface JiraAccount {
  /** Example: `712020:5c1a…`, the same on every site. */
  readonly accountId: string
  readonly displayName: string
  readonly emailAddress: string
}

/** Describes the credentials of a 3LO app from the developer console. */
export interface JiraApp {
  readonly clientId: string
  readonly clientSecret: string
  /** Lists the redirect addresses. They are compared character by character. */
  redirectUris: readonly string[]
}

/** Describes a link from an issue to a page elsewhere, as it was sent. */
export interface JiraRemoteLink {
  readonly id: number
  readonly globalId: string | undefined
  readonly application: unknown
  readonly relationship: string | undefined
  readonly object: unknown
}

/** Describes a project of a site. */
export interface JiraProject {
  readonly id: number
  readonly key: string
  readonly name: string
  /** Hides the project and its issues from every request: the account may not browse it. */
  hidden: boolean
  /** Holds the number in the key of its newest issue. */
  lastNumber: number
}

/** Describes an issue, under its current key. */
export interface JiraIssue {
  readonly id: number
  key: string
  project: JiraProject
  summary: string
  readonly type: TypeName
  status: StatusName
  readonly priority: PriorityName
  readonly assignee: JiraAccount | null
  readonly createdAt: Date
  updatedAt: Date
  remoteLinks: readonly JiraRemoteLink[]
}

/** Names a site. The account belongs to the second one only after `offerSecondSite`. */
export type SiteName = 'acme' | 'acme-labs'

/** Describes a Jira Cloud site, with its own projects and issues. */
export interface JiraSite {
  readonly cloudId: string
  readonly name: SiteName
  /** Says whether the account belongs to the site, so that it can be granted. */
  offered: boolean
  /** By key. */
  readonly projects: Map<string, JiraProject>
  /** By id. */
  readonly issues: Map<number, JiraIssue>
  /** Maps a key that an issue had before it was moved to the issue's id. */
  readonly formerKeys: Map<string, number>
}

/** Holds everything that the pretended Jira Cloud knows, except for the tokens. */
export interface JiraState {
  readonly clock: Clock
  /** Holds the account that is logged in at the authorization page, and whose permissions the API applies. */
  readonly account: JiraAccount
  readonly app: JiraApp
  readonly sites: Readonly<Record<SiteName, JiraSite>>
  /**
   * Maps a cloud id to the scopes that the account has granted the app. There is one grant for each app and account:
   * a second authorization adds to it, for existing tokens as well.
   */
  readonly granted: Map<string, Set<string>>
  /** Holds the gateway's status for an expired access token. Both have been observed. */
  expiredAnswers: 401 | 404
  /** Returns the next id. Ids of every kind grow with time, as Jira's do. */
  nextId(): number
  /** Restores the seed. The app's registration and the cloud ids stay, because a person set them up. */
  clear(): void
}

const firstId = 10_001

/** Creates a state without projects, issues and grants, with new credentials. */
export function createJiraState(clock: Clock): JiraState {
  let id = firstId
  const sites = { acme: createSite('acme'), 'acme-labs': createSite('acme-labs') }
  const granted = new Map<string, Set<string>>()
  const state: JiraState = {
    clock,
    account: {
      accountId: `712020:${randomUUID()}`,
      displayName: 'Ada',
      emailAddress: 'ada@acme.example',
    },
    app: {
      clientId: randomBytes(24).toString('base64url'),
      clientSecret: `ATOA${randomBytes(48).toString('base64url')}`,
      redirectUris: [],
    },
    sites,
    granted,
    expiredAnswers: 401,
    nextId: () => id++,
    clear() {
      id = firstId
      granted.clear()
      state.expiredAnswers = 401
      for (const site of Object.values(sites)) {
        site.offered = site.name === 'acme'
        for (const known of [site.projects, site.issues, site.formerKeys]) known.clear()
      }
    },
  }
  return state
}

function createSite(name: SiteName): JiraSite {
  return {
    cloudId: randomUUID(),
    name,
    offered: name === 'acme',
    projects: new Map(),
    issues: new Map(),
    formerKeys: new Map(),
  }
}

/**
 * Returns the issue of this id or key, current or former. Upper and lower case are the same. Returns `undefined` when
 * it does not exist or its project is hidden.
 */
export function findIssue(site: JiraSite, idOrKey: string): JiraIssue | undefined {
  const key = idOrKey.toUpperCase()
  const issue = /^\d+$/.test(key)
    ? site.issues.get(Number(key))
    : ([...site.issues.values()].find((one) => one.key === key) ??
      site.issues.get(site.formerKeys.get(key) ?? 0))
  return issue?.project.hidden ? undefined : issue
}

/** Returns the projects that the account may browse, by key. */
export function visibleProjects(site: JiraSite): JiraProject[] {
  return [...site.projects.values()]
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
}
