import type { Clock } from '../clock.ts'
import type { Faults } from '../http/faults.ts'
import type { Provider } from '../http/provider.ts'
import type { CodeHost } from './code-host.ts'

/** Describes a running provider, as far as the sandbox plays with it. What is left out, it does not have. */
export interface PlayedProvider extends Provider {
  /** Pushes, deploys and tests for the stage. */
  readonly codeHost?: CodeHost
  /** Learns where the sandbox listens. Example: `http://127.0.0.1:4500`. */
  listenAt?(origin: string): void
  /** Expires every access token now. Refresh tokens still work, and tokens that never expire stay valid. */
  expireTokens?(): void
  /** Uses up an id, so that what follows has a greater one. */
  skipId?(): void
}

/** Describes a provider to the sandbox: the one entry by which it is served, takes part, and fails. `stand-ins.ts` lists them. */
export interface StandIn<
  Own extends PlayedProvider = PlayedProvider,
  Address extends string = string,
> {
  /** Holds its paths, by the names of `sandbox.addresses`. */
  readonly addresses: Readonly<Record<Address, string>>
  create(options: { readonly clock: Clock }): Own
  /** Lists who it is in the story of the stage. Left out: nobody. */
  participants?(own: Own, at: Readonly<Record<Address, string>>): readonly Participant[]
  /** Lists the faults that a visitor triggers, in the order in which the page offers them. */
  switches?(own: Own, faults: Faults): readonly Switch[]
  /** Lists what stays on until it is turned off, in the order in which the page offers it. */
  settings?(own: Own): readonly Setting[]
}

/** Returns the entry as it is, with the types of its provider and its addresses. */
export function describeStandIn<Own extends PlayedProvider, Address extends string>(
  standIn: StandIn<Own, Address>,
): StandIn<Own, Address> {
  return standIn
}

/** Describes how one provider takes part in the story of the stage. */
export interface Participant {
  readonly name: string
  /** Example: `GitHub`. */
  readonly title: string
  readonly kind: 'codehost' | 'tracker' | 'chat'
  /** Returns the settings with which the product uses this provider, by the names of environment variables. */
  readonly settings: () => Readonly<Record<string, string>>
  /** Names the participant whose application it uses, and whose connection where that is connected. */
  readonly sharesWith?: string
  /** Enters the addresses of the product. Nothing is registered at some. */
  readonly register?: (at: ProductAddresses) => unknown
  /** Returns the values of the product's form that connects it. Default: a person gives consent. */
  readonly form?: () => Readonly<Record<string, string>>
  /** Returns the pages that the push page links to. */
  readonly pages?: () => readonly ParticipantPage[]
  /** Lists the keys of the projects with the issues of the story. */
  readonly projectKeys?: readonly string[]
  /** Holds the product's id of what tests deployments. */
  readonly testWorkflow?: string
  /** Returns the id of the page of the channel that messages go to. */
  readonly channel?: () => string
}

/** Holds the addresses of the product that a person enters where its application is registered. */
export interface ProductAddresses {
  readonly callbackUrl: string
  readonly webhookUrl: string
}

/** Describes a page to look at: a channel or an issue. */
export interface ParticipantPage {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly url: string
}

/** Describes a fault that a visitor triggers, once for each press. */
export interface Switch {
  /** Example: `slack-too-many`. */
  readonly name: string
  readonly title: string
  readonly explains: string
  readonly turn: () => void
}

/** Describes a setting, which applies to the authorizations and calls that follow. */
export interface Setting {
  readonly name: string
  readonly title: string
  readonly isOn: () => boolean
  readonly set: (on: boolean) => void
}

/** Returns the settings of an application's client. Example: `clientSettings('JIRA', app)`. */
export function clientSettings(
  name: string,
  app: { readonly clientId: string; readonly clientSecret: string },
): Readonly<Record<string, string>> {
  return {
    [`SIGNALBOX_${name}_CLIENT_ID`]: app.clientId,
    [`SIGNALBOX_${name}_CLIENT_SECRET`]: app.clientSecret,
  }
}

/** Describes the issues of a code host, with those of the story in the shop. */
export function issuesOf(
  host: Pick<Participant, 'name' | 'title' | 'settings'>,
  codeHost: Pick<CodeHost, 'issues'>,
): Participant {
  return {
    name: `${host.name}-issues`,
    title: `${host.title} Issues`,
    kind: 'tracker',
    sharesWith: host.name,
    settings: host.settings,
    pages: () =>
      codeHost.issues().map(({ number, title, url }) => ({
        id: `issue-${number}`,
        title: `#${number}`,
        note: title,
        url,
      })),
    projectKeys: ['acme/shop'],
  }
}

/** Returns the page of a channel, with how much has been posted to it. */
export function channelPage(
  channel: { readonly id: string; readonly title: string; readonly url: string },
  messages: readonly unknown[],
): ParticipantPage {
  const count = messages.length
  return {
    ...channel,
    id: `channel-${channel.id}`,
    note: `${count} message${count === 1 ? '' : 's'}`,
  }
}
