import { buildSchema, type GraphQLSchema } from '../../../../../sandbox/src/models/graphql.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { linearSchema } from './schema.ts'

/** Describes a team, which other trackers call a project. */
export interface LinearTeam {
  readonly id: string
  readonly key: string
  readonly name: string
  /** Set for a private team that the application was not given. */
  isHidden: boolean
  lastNumber: number
}

/** Names the types of workflow states. */
export type LinearStateType =
  | 'triage'
  | 'backlog'
  | 'unstarted'
  | 'started'
  | 'completed'
  | 'canceled'
  | 'duplicate'

export interface LinearIssue {
  readonly id: string
  team: LinearTeam
  number: number
  readonly previousIdentifiers: string[]
  readonly title: string
  readonly priorityLabel: string
  readonly assignee: string | undefined
  state: { readonly name: string; readonly type: LinearStateType }
  archivedAt: Date | undefined
}

/** Names a window that Linear counts in. */
export type LinearWindow = 'requests' | 'complexity' | 'endpoint-requests'

/** Holds the pretended Linear: one workspace with one application. */
export interface LinearState {
  readonly clock: Clock
  readonly workspace: { readonly id: string; readonly name: string; readonly urlKey: string }
  readonly app: {
    readonly clientId: string
    readonly clientSecret: string
    readonly webhookId: string
    readonly webhookSecret: string
    redirectUris: readonly string[]
    webhookUrl: string | undefined
  }
  readonly appUser: { readonly id: string; readonly name: string }
  readonly teams: Map<string, LinearTeam>
  readonly issues: Map<string, LinearIssue>
  /** Maps windows that are used up to their resets, in milliseconds. */
  readonly spent: Map<LinearWindow, number>
  /** Holds what queries are executed on. */
  schema: GraphQLSchema
}

/** Creates a workspace without teams. Its application and its ids survive a reset. */
export function createLinearState(clock: Clock): LinearState {
  return {
    clock,
    workspace: { id: randomUUID(), name: 'Acme', urlKey: 'acme' },
    app: {
      clientId: randomBytes(16).toString('hex'),
      clientSecret: randomBytes(16).toString('hex'),
      webhookId: randomUUID(),
      webhookSecret: `lin_wh_${randomBytes(24).toString('base64url')}`,
      redirectUris: [],
      webhookUrl: undefined,
    },
    appUser: { id: randomUUID(), name: 'Signalbox' },
    teams: new Map(),
    issues: new Map(),
    spent: new Map(),
    schema: buildSchema(linearSchema),
  }
}

/** Returns the key of an issue as it is now. Example: `ENG-7`. */
export function identifierOf({ team, number }: LinearIssue): string {
  return `${team.key}-${number}`
}
