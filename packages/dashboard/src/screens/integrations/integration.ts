import { CircleAlert, CircleCheck, CircleDashed, CirclePause, type LucideIcon } from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import type { Tone } from '../../components/badge.tsx'

type Integrations = AnswerOf<'GET /organizations/{org_id}/integrations'>
/** Names a kind of integration. */
export type Kind = keyof Integrations
/** Describes an integration of the organization. */
export type Integration = Integrations[Kind]
/** Describes a provider that can be connected. */
export type Choice = Integration['choices'][number]
/** Names a state of an integration. */
export type State = Integration['state']

interface About {
  /** Names its purpose. */
  readonly title: string
  /** Names one of them in a sentence, before it is known which. */
  readonly one: string
  /** Explains the benefit of connecting it. */
  readonly unlocks: string
}

/** Maps each kind of integration to its texts. */
export const about: Readonly<Record<Kind, About>> = {
  codehost: {
    title: 'Code host',
    one: 'a code host',
    unlocks:
      'Signalbox shows deployments with their commits, syncs environments, and runs workflows.',
  },
  tracker: {
    title: 'Issue tracker',
    one: 'an issue tracker',
    unlocks: 'Each deployment shows the issues that its commit messages mention.',
  },
  chat: {
    title: 'Chat',
    one: 'a chat',
    unlocks:
      'One message per deployment, kept up to date: details, issues and the results of its tests.',
  },
}

/** Returns whether a text names a kind of integration. */
export function isKind(text: string): text is Kind {
  return text in about
}

interface Variant {
  readonly text: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

const variants: Readonly<Record<State, Variant>> = {
  not_connected: { text: 'Not connected', tone: 'neutral', icon: CircleDashed },
  pending: { text: 'Waiting for you', tone: 'info', icon: CircleDashed },
  connected: { text: 'Connected', tone: 'ok', icon: CircleCheck },
  degraded: { text: 'Degraded', tone: 'warn', icon: CircleAlert },
  renewal_refused: { text: 'Not renewed', tone: 'warn', icon: CircleAlert },
  reauth_required: { text: 'Connect again', tone: 'bad', icon: CircleAlert },
  suspended: { text: 'Suspended', tone: 'bad', icon: CirclePause },
  disconnecting: { text: 'Disconnecting', tone: 'neutral', icon: CircleDashed },
}

/** Returns the word, color and icon of a state. */
export function variantOf(state: State): Variant {
  return variants[state]
}

/** Returns whether the integration has an account at the provider, even if it fails at the moment. */
export function isConnected(state: State): boolean {
  return state !== 'not_connected' && state !== 'pending' && state !== 'disconnecting'
}

/** Returns whether Signalbox may call the provider. */
export function isUsable(state: State): boolean {
  return state === 'connected' || state === 'degraded' || state === 'renewal_refused'
}

/** Returns the name of the provider in a sentence. Where several are possible and none is connected, returns the kind. */
export function nameInSentence({ kind, displayName }: Pick<Integration, 'kind' | 'displayName'>) {
  return displayName === about[kind].title ? about[kind].one : displayName
}

/** Returns whether the person must choose among several granted accounts. */
export function waitsForChoice(integration: Integration): boolean {
  return 'sites' in integration && integration.sites.length > 0
}

/** Returns whether what is asked for on request alone was granted. */
export function hasMoreAccess({ scopes }: Integration, { moreAccess }: Choice): boolean {
  return moreAccess?.scopes.every((scope) => scopes.includes(scope)) ?? false
}
