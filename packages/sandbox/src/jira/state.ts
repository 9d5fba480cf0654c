import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { PriorityName, StatusName, TypeName } from './vocabulary.ts'

/** An Atlassian account. */
export interface JiraAccount {
  /** Example: `712020:5c1a…`, the same on every site. */
  readonly accountId: string
  readonly displayName: string
  readonly emailAddress: string
}

/** Describes what somebody who registers a 3LO app gets from the developer console. */
export interface JiraApp {
  readonly clientId: string
  readonly clientSecret: string
  /** Where the answer to a consent may be sent. Compared as they are, letter by letter. */
  redirectUris: readonly string[]
}

/** A link from an issue to something elsewhere, as it was sent. */
export interface JiraRemoteLink {
  readonly id: number
  readonly globalId: string | undefined
  readonly application: unknown
  readonly relationship: string | undefined
  readonly object: unknown
}

/** A project of a site; its issues name it. */
export interface JiraProject {
  readonly id: number
  readonly key: string
  readonly name: string
  /** The account may not browse it: nothing of it is found by any request. */
  hidden: boolean
  /** The number in the key of its newest issue. */
  lastNumber: number
}

/** An issue, under its key of today. */
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

/** The sites there are; the account belongs to the second only once it is offered. */
export type SiteName = 'acme' | 'acme-labs'

/** A Jira Cloud of its own, with its own projects and issues. */
export interface JiraSite {
  readonly cloudId: string
  readonly name: SiteName
  /** The account belongs to it: it can be granted. */
  offered: boolean
  /** By key. */
  readonly projects: Map<string, JiraProject>
  /** By id. */
  readonly issues: Map<number, JiraIssue>
  /** Key that an issue had before it was moved -> its id. */
  readonly formerKeys: Map<string, number>
}

/** Everything that the pretended Jira Cloud knows, but for the tokens. */
export interface JiraState {
  readonly clock: Clock
  /** Names who is logged in at every consent page, and whose eyes the API sees with. */
  readonly account: JiraAccount
  readonly app: JiraApp
  readonly sites: Readonly<Record<SiteName, JiraSite>>
  /**
   * Holds what the account has allowed the app, by cloud id. There is one grant per app and account: a second consent adds
   * to it, for the tokens that exist as well.
   */
  readonly granted: Map<string, Set<string>>
  /** Holds what the gateway answers to an expired access token: both have been seen at the real one. */
  expiredAnswers: 401 | 404
  /** Ids of every kind grow with time, as Jira's do. */
  nextId(): number
  /** Forgets what happened. The app's registration and the cloud ids stay: they are what a person set up. */
  clear(): void
}

const firstId = 10_001

/** A state without projects, issues and grants, with credentials of its own. */
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
 * The issue of this id or key, also of a key that it had once, whatever the case of its letters; `undefined` when it is
 * not there, and when its project is hidden.
 */
export function findIssue(site: JiraSite, idOrKey: string): JiraIssue | undefined {
  const key = idOrKey.toUpperCase()
  const issue = /^\d+$/.test(key)
    ? site.issues.get(Number(key))
    : ([...site.issues.values()].find((one) => one.key === key) ??
      site.issues.get(site.formerKeys.get(key) ?? 0))
  return issue?.project.hidden ? undefined : issue
}

/** The projects that the account may browse, by key. */
export function visibleProjects(site: JiraSite): JiraProject[] {
  return [...site.projects.values()]
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
}
