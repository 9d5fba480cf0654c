import type {
  integrationEndpoints,
  IntegrationKind,
  IntegrationState,
  ResponseOf,
} from '@signalbox/contract/rest'
import {
  absenceOfKind,
  displayNameOf,
  findProvider,
  isFurtherInstance,
  providersOfKind,
  titleOfKind,
} from '../providers/find-provider.ts'
import { presentAuthor, presentCredential } from '../audit/author.ts'
import { levelOf, listCapabilities, type Capability } from '../providers/capability.ts'
import type { Connector } from '../providers/connector.ts'
import { isUsable, type Integration } from './integration.ts'
import { connectorToShow, type ConnectorOf } from './connect/connectors.ts'
import { describeRefusedRenewal } from './health/not-renewed.ts'
import { missingScopes } from './connect/keep-connection.ts'
import { adviseRevoking } from './connect/revocation-texts.ts'
import { chooseSharing, findSharingName } from './connect/share-connection.ts'

/** Holds what is shown of a kind that is not connected. */
const notConnected = {
  id: null,
  state: 'not_connected',
  stateReason: null,
  account: null,
  scopes: [],
  connectedAt: null,
  connectedBy: null,
  reconnectBefore: null,
  lastOkAt: null,
  lastError: null,
  renewalRetryAt: null,
} as const

/**
 * Presents what integrations of all kinds have in common. `others` are the organization's integrations, one of which may share the
 * connection of another.
 */
export function presentIntegration(
  kind: IntegrationKind,
  integration: Integration | undefined,
  connectorOf: ConnectorOf,
  others: readonly Integration[] = [],
) {
  const connector = connectorToShow(connectorOf, kind, integration)
  const provider = connector?.provider ?? integration?.provider ?? firstOf(kind)
  const isThere = integration !== undefined && integration.state !== 'disconnected'
  const present = isThere ? integration : undefined
  const choices = listChoices(kind, connectorOf, others)
  const { displayName: name, icon } = findMeant(kind, { provider, isThere, choices })
  const view = isThere ? { ...integration, state: integration.state } : notConnected
  const displayName = name ?? titleOfKind(kind)
  const { id, account, scopes, connectedBy, lastError } = view
  return {
    id,
    provider,
    displayName,
    icon,
    kind,
    isSetUp: connector !== undefined,
    choices,
    nextStep: nextStepOf({ kind, state: view.state, name, choices }, connector),
    account,
    scopes: [...scopes],
    missingScopes: describeMissing(present, connector),
    ...describeAbilities(present, connector),
    connectedAt: textOf(view.connectedAt),
    connectedBy: presentAuthor(connectedBy),
    connectedWith: presentCredential(connectedBy),
    reconnectBefore: textOf(view.reconnectBefore),
    ...describeRevoking(connector),
    ...describeSharing(present, connector, others),
    revocation: integration?.revocation ?? null,
    health: { lastOkAt: textOf(view.lastOkAt), lastError },
    ...describeRenewal(view, displayName),
  }
}

/** Returns the state; that of an access which is not renewed, and what follows, in the place of the stored one. */
function describeRenewal(
  view: Pick<Integration, 'stateReason' | 'renewalRetryAt'> & { readonly state: StoredState },
  name: string,
) {
  const { state, stateReason, renewalRetryAt: at } = view
  if (at === null) return { state, stateReason, retryAt: null }
  const { detail, nextStep } = describeRefusedRenewal(name, at)
  const current: IntegrationState = 'renewal_refused'
  return { state: current, stateReason: detail, retryAt: at.toISOString(), nextStep }
}

/** Returns the name of the first provider of a kind. */
function firstOf(kind: IntegrationKind): string {
  return providersOfKind(kind)[0]?.name ?? kind
}

interface MeantProvider {
  /** `undefined`: a person chooses. */
  readonly displayName: string | undefined
  /** `null`: a person chooses, or this version has no provider of that name. */
  readonly icon: Choice['icon'] | null
}

/** Returns which provider is meant: the connected one, or the only one that can be connected. */
function findMeant(
  kind: IntegrationKind,
  {
    provider,
    isThere,
    choices,
  }: {
    readonly provider: string
    readonly isThere: boolean
    readonly choices: readonly Choice[]
  },
): MeantProvider {
  if (isThere) return findProvider(provider) ?? { displayName: provider, icon: null }
  const usable = choices.filter(({ needs }) => needs === null)
  const [only, ...others]: readonly MeantProvider[] =
    usable.length > 0 ? usable : providersOfKind(kind)
  return only !== undefined && others.length === 0 ? only : { displayName: undefined, icon: null }
}

function describeRevoking(connector: Connector | undefined) {
  return { revokeAdvice: adviceOf(connector), revokeEffect: connector?.revokeEffect ?? null }
}

/** Returns what a person does at the provider after disconnecting; `null`: the provider is asked to revoke the access. */
function adviceOf(connector: Connector | undefined): string | null {
  if (connector === undefined) return null
  if (connector.revoke !== undefined && connector.revokes !== 'webhooks') return null
  const name = displayNameOf(connector.provider)
  return adviseRevoking(connector, name)
}

/** Describes a provider that can be connected, as the API shows it. */
type Choice = ResponseOf<typeof integrationEndpoints.connectIntegration>['choices'][number]

function listChoices(
  kind: IntegrationKind,
  connectorOf: ConnectorOf,
  others: readonly Integration[],
): Choice[] {
  return providersOfKind(kind).flatMap((descriptor): Choice[] => {
    const { name, displayName, icon, levels, moreAccess } = descriptor
    const connector = connectorOf(kind, name)
    if (connector === undefined) return []
    // The address names the one of several instances.
    const isFurther = isFurtherInstance(name) && connector.instanceAddress !== undefined
    const named = {
      provider: name,
      displayName: isFurther ? `${displayName} (${connector.instanceAddress})` : displayName,
      icon,
      readOnlyAdvice: levels?.readOnlyAdvice ?? null,
      moreAccess:
        moreAccess === undefined
          ? null
          : { scopes: [...moreAccess.scopes], advice: moreAccess.advice },
    }
    if (connector.way !== 'shared') {
      return [{ ...named, form: presentForm(connector), needs: null, note: null }]
    }
    const chosen = chooseSharing(connector, others)
    if (chosen.way === 'own') {
      return [{ ...named, form: null, needs: null, note: chosen.connector.advice }]
    }
    const form = { advice: connector.advice, fields: [] }
    return [{ ...named, form, needs: chosen.need ?? null, note: connector.advice }]
  })
}

/** Presents the form of a provider that is connected by one; `null`: the browser is sent there. */
function presentForm(connector: Connector) {
  if (connector.way !== 'form') return null
  const { advice, fields } = connector.form
  return {
    advice,
    fields: fields.map(({ role, hint = null, placeholder = null, ...field }) => ({
      ...field,
      isSecret: role === 'secret',
      hint,
      placeholder,
    })),
  }
}

/** Returns the name of the provider whose connection is shared. */
function sharedNameOf(connector: Connector | undefined): string | null {
  return connector?.way === 'shared' ? displayNameOf(connector.sharesWith) : null
}

function textOf(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}

/** Returns whose connection it shares, and who shares its own. */
function describeSharing(
  integration: Integration | undefined,
  connector: Connector | undefined,
  others: readonly Integration[],
) {
  if (integration === undefined) return { connectionOf: null, usedBy: null }
  return {
    connectionOf: integration.isShared ? sharedNameOf(connector) : null,
    usedBy: findSharingName(connector?.provider ?? integration.provider, others) ?? null,
  }
}

function describeMissing(
  integration: Integration | undefined,
  connector: Connector | undefined,
): { scope: string; cost: string }[] {
  if (integration === undefined || connector === undefined) return []
  return missingScopes(connector, integration.scopes).map((scope) => ({
    scope,
    cost: connector.wantedScopes[scope] ?? '',
  }))
}

/** Returns what works with the account that is connected; nothing while there is none. */
function describeAbilities(integration: Integration | undefined, connector: Connector | undefined) {
  const provider = integration && findProvider(integration.provider)
  if (provider === undefined || integration === undefined || integration.account === null)
    return { level: null, capabilities: [], limits: [] }
  const { scopes, state } = integration
  const capabilities = listCapabilities(provider, scopes, connector?.grantAdvice)
  return {
    level: levelOf(provider, scopes),
    capabilities: isUsable(integration)
      ? capabilities
      : endCapabilities(capabilities, { state, name: provider.displayName }),
    limits: [...(provider.limits ?? [])],
  }
}

/** Says of everything that it does not work, as long as no calls may be made. */
function endCapabilities(
  capabilities: readonly Capability[],
  { state, name }: { readonly state: Integration['state']; readonly name: string },
): Capability[] {
  const ended =
    state === 'suspended'
      ? { detail: `The access is suspended at ${name}.`, nextStep: `Unsuspend it at ${name}.` }
      : { detail: `The access to ${name} has ended.`, nextStep: `Connect ${name} again.` }
  return capabilities.map((one) => ({ ...one, ...ended, works: false }))
}

/** Leaves out what is shown while the access is not renewed. */
type StoredState = Exclude<IntegrationState, 'renewal_refused'>

const nextSteps: Readonly<Record<StoredState, string | null>> = {
  not_connected: 'Connect it.',
  pending: 'Choose one of the granted accounts, or connect again.',
  connected: null,
  degraded:
    'Connect it again and grant the missing permissions, or leave it as it is if you don’t need them.',
  reauth_required: 'Connect it again.',
  suspended: 'The provider suspended it. Unsuspend it there.',
  disconnecting: null,
}

function nextStepOf(
  {
    kind,
    state,
    name,
    choices,
  }: {
    readonly kind: IntegrationKind
    readonly state: StoredState
    readonly name: string | undefined
    readonly choices: readonly { readonly needs: string | null }[]
  },
  connector: Connector | undefined,
): string | null {
  if (state === 'degraded' && connector?.grantAdvice !== undefined) return connector.grantAdvice
  if (connector !== undefined) {
    const isBlocked = state === 'not_connected' && choices.every(({ needs }) => needs !== null)
    return (isBlocked ? choices[0]?.needs : undefined) ?? nextSteps[state]
  }
  const what = name === undefined ? `${absenceOfKind(kind)} is set up` : `${name} isn’t set up`
  return `${what} on this server yet. An operator of the server sets it up first.`
}
